declare global {
  /** What before-app.js has asked for while the app was on its way: by path and query. */
  var posternEarlyAnswers: Map<string, Promise<Response>> | undefined;
}

/** An answer that is there already, or on its way, once; otherwise one that is asked for now. */
export function fetchOrTakeOver(request: Request): Promise<Response> {
  const answers = globalThis.posternEarlyAnswers;
  // Whoever signs in, say, is not who was asked about before.
  if (request.method !== 'GET') answers?.clear();
  const { pathname, search } = new URL(request.url);
  const early = answers?.get(pathname + search);
  if (early === undefined) return fetch(request);
  answers?.delete(pathname + search);
  // The one that was too early for a connection is asked for again.
  return early.catch(() => fetch(request));
}
