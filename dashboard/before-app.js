// Runs before the first paint, while the app is still loading: sets light or dark, and fetches the files and answers that the page at
// this address needs. A file of its own, since the content security policy admits no inline script.
(() => {
  const script = document.currentScript;

  // Without this a dark page would flash in light. The key is that of src/shell/color-scheme.tsx.
  let choice = null;
  try {
    choice = localStorage.getItem('postern-color-scheme');
  } catch {
    // The browser blocks storage: follow the system.
  }
  const isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  // The attribute alone: a `color-scheme` in the element's own style would stay when another scheme is chosen.
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  // The files of the page, which the app would import later. The build lists them in `data-pages`.
  const { pages = {}, files = [] } = JSON.parse(script?.dataset.pages ?? '{}');
  const isAt = (path) => (pattern) => {
    const [wanted, seen] = [pattern.split('/'), path.split('/')];
    return (
      wanted.length === seen.length && wanted.every((part, at) => part.startsWith(':') || part === seen[at])
    );
  };
  const load = (path) => {
    for (const index of pages[Object.keys(pages).find(isAt(path))] ?? []) {
      const href = `/assets/${files[index]}`;
      if (href.endsWith('.css')) {
        // Not as a preload: browsers warn of a preloaded style that stays unused, as where the person may not open the page.
        fetch(href).catch(() => undefined);
        continue;
      }
      const link = document.createElement('link');
      Object.assign(link, { href, crossOrigin: '', rel: 'modulepreload' });
      document.head.append(link);
    }
  };

  // Answers that the app takes over (src/api/early-answers.ts).
  const answers = new Map();
  globalThis.posternEarlyAnswers = answers;
  const ask = (path) => {
    const answer = fetch(path, { cache: 'no-store', credentials: 'same-origin' });
    // Avoids an unhandled rejection; the app handles the failure when it takes the answer over.
    answer.catch(() => undefined);
    answers.set(path, answer);
    return answer;
  };
  const search = new URLSearchParams(location.search);
  ask('/dashboard/api/session')
    .then((answer) => answer.clone().json())
    .then(({ person, operator_role, accounts }) => {
      const isSignedOut = person === null && location.pathname !== '/setup';
      load(isSignedOut ? '/sign-in' : location.pathname);
      if (person === null) return;
      if (location.pathname === '/rules' && operator_role !== null) {
        ask('/dashboard/api/rules');
        ask('/dashboard/api/rules/language');
      }
      const named = search.get('account');
      const account = named === null ? accounts[0] : accounts.find(({ id }) => id === named);
      if (account === undefined || search.has('scope')) return;
      const ofAccount = `/dashboard/api/accounts/${account.id}`;
      // True without any filter: every parameter other than `account` is one.
      const isAll = [...search.keys()].every((name) => name === 'account');
      if (location.pathname === '/checks' && isAll) ask(`${ofAccount}/checks`);
      if (location.pathname !== '/' || search.has('from')) return;
      // The same rounding as in src/api/range-query.ts, so that the URL is the same: whole minutes, up to now.
      const days = { '7d': 7, '30d': 30 }[search.get('range')] ?? 1;
      const since = new Date(Math.floor((Date.now() - days * 86_400_000) / 60_000) * 60_000).toISOString();
      ask(`${ofAccount}/overview?since=${encodeURIComponent(since)}`);
    })
    .catch(() => undefined);
  // An answer that was not taken over within 30 seconds is stale.
  setTimeout(() => answers.clear(), 30_000);
})();
