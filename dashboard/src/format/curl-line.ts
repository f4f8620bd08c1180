/** Where the authority's file lies once it is downloaded. */
const AUTHORITY_FILE = 'postern-ca.pem';

/** A first request with a key, ready to be run. Not example.com: it says that it takes no mail (RFC 7505). */
export function curlLine(origin: string, secret: string, hasOwnAuthority: boolean): string {
  const trust = hasOwnAuthority ? `--cacert ${AUTHORITY_FILE} ` : '';
  return (
    `curl ${trust}${origin}/v1/ -H 'Authorization: Bearer ${secret}' ` +
    `-H 'Content-Type: application/json' -d '{"email":"jane.doe@gmail.com"}'`
  );
}
