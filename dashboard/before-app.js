// Runs before the first paint, as a file of its own since the policy admits no inline script: without it a page in dark
// would flash in light. The key is the one under which the app keeps the choice (src/shell/color-scheme.tsx).
(() => {
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
})();
