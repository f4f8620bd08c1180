/** RFC 9110 11.4: the scheme in any case, then spaces, then the credentials. */
const BEARER = /^bearer +(?<credentials>.+)$/i;

/** What an `Authorization: Bearer` header carries; undefined where there is none, or another scheme. */
export function bearerOf(header: string | undefined): string | undefined {
  return BEARER.exec(header?.trim() ?? '')?.groups?.credentials;
}
