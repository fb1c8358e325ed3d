"""The sample shop: jobs and runbooks to look at, a past, and a small shop API that can be broken."""
