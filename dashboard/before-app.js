// Runs before the first paint, as a file of its own since the policy admits no inline script. What it does the app could do, but
// only once it has arrived: it sets light or dark, and asks for what the page at this address needs while the app is on its way.
(() => {
  const script = document.currentScript;

  // Without it a page in dark would flash in light. The key is that of src/shell/color-scheme.tsx.
  let choice = null;
  try {
    choice = localStorage.getItem('postern-color-scheme');
  } catch {
    // A browser that keeps nothing: as the system has it.
  }
  const isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  // And no more than that: a colour scheme in the element's own style would stay when another is chosen.
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  // The files of the page, which the app would import. The build has written which they are.
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
        // Browsers complain of a style that is preloaded and not used, as where the page is not for this person.
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
    // Who takes it over is told.
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
      // Without a filter, whatever filters there are.
      const isAll = [...search.keys()].every((name) => name === 'account');
      if (location.pathname === '/checks' && isAll) ask(`${ofAccount}/checks`);
      if (location.pathname !== '/' || search.has('from')) return;
      // As src/api/range-query.ts has it: whole minutes, up to now.
      const days = { '7d': 7, '30d': 30 }[search.get('range')] ?? 1;
      const since = new Date(Math.floor((Date.now() - days * 86_400_000) / 60_000) * 60_000).toISOString();
      ask(`${ofAccount}/overview?since=${encodeURIComponent(since)}`);
    })
    .catch(() => undefined);
  // What was not taken over by then is old.
  setTimeout(() => answers.clear(), 30_000);
})();
