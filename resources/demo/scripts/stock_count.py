"""Counts the bags that the waiting orders need and prints the list for the packing table."""

import os
import sys
from collections import Counter

import requests

from ridgeline_desktop.jobkit import http_session, retrying

SHOP_API = os.environ["SHOP_API"]
session = http_session()


@retrying()
def fetch_orders():
    response = session.get(f"{SHOP_API}/orders")
    response.raise_for_status()
    return response.json()


def main():
    bags = Counter()
    for order in fetch_orders():
        bags[order["bean"]] += order["bags"]
    for bean, number in sorted(bags.items()):
        print(f"{bean}: {number} bags")
    print(f"{bags.total()} bags to take from the shelf")


if __name__ == "__main__":
    try:
        main()
    except requests.RequestException as error:
        answer = error.response
        status = "does not answer" if answer is None else f"answered {answer.status_code}"
        sys.exit(f"the shop API {status}")
