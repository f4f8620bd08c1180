declare global {
  /** Answers that before-app.js asked for while the app was loading, by path and query. */
  var posternEarlyAnswers: Map<string, Promise<Response>> | undefined;
}

/** Takes over the early answer to a request, once; without one it fetches. */
export function fetchOrTakeOver(request: Request): Promise<Response> {
  const answers = globalThis.posternEarlyAnswers;
  // A change, such as a sign-in, makes the early answers stale.
  if (request.method !== 'GET') answers?.clear();
  const { pathname, search } = new URL(request.url);
  const early = answers?.get(pathname + search);
  if (early === undefined) return fetch(request);
  answers?.delete(pathname + search);
  // An early request that failed, for example before the network was up, is made again.
  return early.catch(() => fetch(request));
}
