"""Copies new web orders to the till: books one shipment for each and marks the order fulfilled.

It can be killed at any line and started again. It goes on after its checkpoint, and where a shipment was
booked but not written down, the key makes the second request harmless.
"""

import os
import sys

import requests

from ridgeline_desktop.jobkit import Checkpoint, http_session, idempotency_key, new_items, retrying

SHOP_API = os.environ["SHOP_API"]
PAGE = 50
session = http_session()


@retrying()
def fetch_orders(after):
    response = session.get(f"{SHOP_API}/orders", params={"after": after, "limit": PAGE})
    response.raise_for_status()
    return response.json()


@retrying()
def book_shipment(number):
    response = session.post(
        f"{SHOP_API}/shipments",
        json={"order": number},
        headers={"Idempotency-Key": idempotency_key("shipment", number)},
    )
    response.raise_for_status()
    return response.json()["id"]


@retrying()
def mark_fulfilled(number):
    response = session.patch(
        f"{SHOP_API}/orders/{number}",
        json={"state": "fulfilled"},
        headers={"Idempotency-Key": idempotency_key("fulfilled", number)},
    )
    response.raise_for_status()


def main():
    checkpoint = Checkpoint()
    last, synced = checkpoint.read(default=0), 0
    while new := new_items(fetch_orders(last), last).items:
        for order in new:
            last = order["id"]
            shipment = book_shipment(last)
            mark_fulfilled(last)
            checkpoint.write(last)
            synced += 1
            print(f"order {last}: shipment {shipment}")
    print(f"{synced} orders synced, the last is {last}" if synced else "no new orders")


if __name__ == "__main__":
    try:
        main()
    except requests.RequestException as error:
        answer = error.response
        status = "does not answer" if answer is None else f"answered {answer.status_code}"
        sys.exit(f"the shop API {status}")
