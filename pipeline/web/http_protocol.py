"""HTTP for the server: an unreadable request gets an error in JSON, like every other error."""

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from marubatsu.pipeline.web.json_responses import to_json

_UNREADABLE = (
    "this request is not HTTP that can be read: expected a method, a path and a version, headers "
    "of printable characters, and the length of the body"
)


class Protocol(H11Protocol):
    """The parser of the requests of one connection."""

    def send_400_response(self, msg: str) -> None:
        """Answer that a request cannot be read, and close; the exact fault is unknown."""
        body = to_json({"error": _UNREADABLE})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
