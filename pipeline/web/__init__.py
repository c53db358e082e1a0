"""The tables as JSON, and the page over them.

documents  everything the page shows, one JSON document each, the same on a server and in a site
answers    one position, class or node: what a program asks for
guard      who may ask the server
app        the server's routes
site       the page and its documents as files
"""
