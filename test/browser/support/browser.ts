import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { CHROMIUM, CHROMIUM_FLAGS } from '../../support/chromium.ts';
import type { Visitor } from '../../support/dashboard.ts';
import { DESK } from './looks.ts';

/**
 * The browser does not trust the service's own CA. With `ignoreHTTPSErrors` alone each connection fails first and its request is
 * retried, now and then up to net::ERR_TOO_MANY_RETRIES; with this flag no connection fails.
 */
const ANY_CERTIFICATE = '--ignore-certificate-errors';

export interface VisitOptions extends BrowserContextOptions {
  /** Statuses of refusals that the scenario expects: Chromium writes each refusal into the console. */
  readonly refusals?: readonly number[];
  /** A person who is already signed in. */
  readonly as?: Pick<Visitor, 'cookie'>;
}

/** Opens a page in a new browser context: visits share no cookies or storage. */
export type Visit = (port: number, options?: VisitOptions) => Promise<Page>;

/** One Chromium for all scenarios of a file. */
export function aBrowser(): Visit {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (CHROMIUM !== null)
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: [...CHROMIUM_FLAGS, ANY_CERTIFICATE],
      });
  });
  afterAll(() => browser?.close());
  return async (port, { refusals = [], as, ...options } = {}) => {
    if (browser === undefined) throw new Error('the browser is started before the first scenario');
    const origin = `https://localhost:${port}`;
    const context = await browser.newContext({
      baseURL: origin,
      // For requests that the scenario itself sends, past the browser.
      ignoreHTTPSErrors: true,
      viewport: DESK,
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(60_000);
    if (as !== undefined) await context.addCookies(cookiesOf(as, origin));
    const page = await context.newPage();
    const complaints = listenTo(page, origin, refusals);
    onTestFinished(async () => {
      // Requests still open when the scenario ends are dropped, also those that a route of the scenario answers.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
      expect(complaints).toEqual([]);
    });
    return page;
  };
}

/** Holds back answers: `asked` resolves when the service has answered; the page gets the answer after `letThrough`. */
export async function holdAnswers(page: Page, url: string, method: string) {
  const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    asked.resolve();
    await free.promise;
    await route.fulfill({ response });
  });
  return { asked: asked.promise, letThrough: () => free.resolve() };
}

/** Replaces the signed-in person in the same browser. */
export async function signInAs(page: Page, as: Pick<Visitor, 'cookie'>): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(cookiesOf(as, new URL(page.url()).origin));
}

function cookiesOf({ cookie }: Pick<Visitor, 'cookie'>, url: string) {
  return cookie.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url, httpOnly: true, secure: true, sameSite: 'Strict' as const };
  });
}

/** Collects faults that no page may have: console errors and warnings (also CSP violations), and requests to other origins. */
function listenTo(page: Page, origin: string, refusals: readonly number[]): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(
      message.text(),
    )?.[1];
    const isExpected = status !== undefined && refusals.includes(Number(status));
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`a request to ${request.url()}`);
  });
  return complaints;
}
