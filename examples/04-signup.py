"""A signup that asks Postern first: one second for each wait, two retries, and an error is never a BLOCK.

Standard library alone. POSTERN_KEY is the key; POSTERN_CA is the certificate authority to trust, where it is Postern's own.
"""

import http.client
import json
import os
import random
import ssl
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("POSTERN_URL", "https://localhost:8443") + "/v1/"
TIMEOUT_SECONDS = 1
RETRIES = 2
TLS = ssl.create_default_context(cafile=os.environ.get("POSTERN_CA"))


def ask(email):
    """One try: status, headers and body; None, and why in place of the body, when Postern is slow, down or unreachable."""
    request = urllib.request.Request(
        URL,
        data=json.dumps({"email": email}).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["POSTERN_KEY"],
            "Content-Type": "application/json",
        },
    )
    try:
        try:
            response = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS, context=TLS)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return response.status, response.headers, response.read()
    except (OSError, http.client.HTTPException) as error:  # time-outs, refused connections, answers cut off
        return None, {}, repr(error).encode()


def check(email):
    """Postern's answer; None where there is none for now, with the reason on stderr."""
    for attempt in range(RETRIES + 1):
        status, headers, body = ask(email)
        if status == 200:
            return json.loads(body)
        if status == 422:
            return {"unparseable": json.loads(body)["error"]["details"][0]}
        temporary = status is None or status in (408, 429) or status >= 500
        after = headers.get("Retry-After", "0")
        asked = int(after) if after.isdigit() else 0
        # Two seconds: longer than a person waits for a form.
        if not temporary or attempt == RETRIES or asked > 2:
            # A wrong URL, certificate or key shows only here.
            print("Postern gave no answer:", body.decode(), file=sys.stderr)
            return None
        time.sleep(max(asked, 0.1 * 2**attempt * random.uniform(0.5, 1.5)))


def sign_up(email):
    answer = check(email)
    if answer is None:
        return f"account created, to be checked later: {email}"
    if "unparseable" in answer:
        return f"form error: {answer['unparseable']['message']}"
    if answer["summary"]["action"] == "BLOCK":
        return "signup declined"
    # A unique index on this column finds the second signup of one mailbox.
    return f"account created: {answer['normalized']['canonical']}"


for email in sys.argv[1:]:
    print(sign_up(email))
