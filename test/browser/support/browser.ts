import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { CHROMIUM, CHROMIUM_FLAGS } from '../../support/chromium.ts';
import type { Visitor } from '../../support/dashboard.ts';
import { DESK } from './looks.ts';

/**
 * The service's authority is its own, and this browser has not been told to trust it. `ignoreHTTPSErrors` alone lets a connection
 * fail first and begins its request anew, up to net::ERR_TOO_MANY_RETRIES now and then; with this none fails.
 */
const ANY_CERTIFICATE = '--ignore-certificate-errors';

export interface VisitOptions extends BrowserContextOptions {
  /** Refusals that belong to the scenario: Chromium writes each into the console. */
  readonly refusals?: readonly number[];
  /** A person who has signed in already. */
  readonly as?: Pick<Visitor, 'cookie'>;
}

/** A visitor with a browser of their own: nothing is kept from one visit to the next. */
export type Visit = (port: number, options?: VisitOptions) => Promise<Page>;

/** One Chromium for a file's scenarios. */
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
      // For what a scenario fetches by itself, past the browser.
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
      // What the page asks still when its scenario is over ends with it, the answers too that a scenario makes itself.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
      expect(complaints).toEqual([]);
    });
    return page;
  };
}

/** The service has done what it was asked for, and its answer is on its way until it is let through. */
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

/** Another person in the same browser, in place of who was signed in. */
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

/** What must not happen on any page: errors and warnings in the console (breaches of the policy too), and requests elsewhere. */
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
