"""Writes an invoice for each order that was shipped and mails it to the customer.

The sample shop has no mail server: a line is printed for each invoice.
"""

import os
import sys

import requests

from ridgeline_desktop.jobkit import http_session, retrying

SHOP_API = os.environ["SHOP_API"]
A_NIGHT = 12  # how many of the newest shipments count as the day's
session = http_session()


@retrying()
def fetch_shipments():
    response = session.get(f"{SHOP_API}/shipments")
    response.raise_for_status()
    return response.json()


def main():
    shipped = fetch_shipments()[-A_NIGHT:]
    for shipment in shipped:
        print(f"invoice for order {shipment['order']} sent")
    print(f"{len(shipped)} invoices sent")


if __name__ == "__main__":
    try:
        main()
    except requests.RequestException as error:
        answer = error.response
        status = "does not answer" if answer is None else f"answered {answer.status_code}"
        sys.exit(f"the shop API {status}")
