import { spawnSync } from 'node:child_process';

/**
 * Path of Debian's Chromium, as no npm package brings a browser; null where there is none. The headless shell takes a seventh less CPU time
 * than the whole browser.
 */
export const CHROMIUM: string | null =
  spawnSync('sh', ['-c', 'command -v chromium-headless-shell || command -v chromium'], {
    encoding: 'utf8',
  }).stdout?.trim() || null;

/**
 * Chromium uses only the last `--disable-features`, so this list replaces Playwright's. It keeps the entries of Playwright's that could
 * affect a scenario, and adds the popup of the address bar: it costs a process for each window, and no test looks at it.
 */
const DISABLED_FEATURES = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'PaintHolding',
  ],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

/** Lets Chromium run as root, in a container, on a machine without a screen. */
export const CHROMIUM_FLAGS = ['--no-sandbox', '--disable-gpu', `--disable-features=${DISABLED_FEATURES}`];

if (CHROMIUM === null) console.info('There is no Chromium here: what is shown in a browser is not tested.');
