"""Looks which shipments should reach their customers today and tells the packing room.

The sample shop has no chat room: the message is printed.
"""

import argparse
import os
import sys

import requests

from ridgeline_desktop.jobkit import http_session, retrying

SHOP_API = os.environ["SHOP_API"]
A_DAY = 5  # how many of the newest shipments the courier brings in a day
session = http_session()


@retrying()
def fetch_shipments():
    response = session.get(f"{SHOP_API}/shipments")
    response.raise_for_status()
    return response.json()


def main():
    parser = argparse.ArgumentParser(description="Which shipments arrive today.")
    parser.add_argument("--notify", required=True, choices=["chat", "nobody"], help="who is told")
    notify = parser.parse_args().notify
    arriving = fetch_shipments()[-A_DAY:]
    for shipment in arriving:
        print(f"shipment {shipment['id']} for order {shipment['order']} arrives today")
    print(f"{len(arriving)} arrivals checked, told: {notify}")


if __name__ == "__main__":
    try:
        main()
    except requests.RequestException as error:
        answer = error.response
        status = "does not answer" if answer is None else f"answered {answer.status_code}"
        sys.exit(f"the shop API {status}")
