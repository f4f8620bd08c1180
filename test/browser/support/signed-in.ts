import type { Page } from 'playwright-core';
import type { TestDashboard, Visitor } from '../../support/dashboard.ts';
import type { Visit, VisitOptions } from './browser.ts';

/** A browser in which that person is signed in. */
export async function visitAs(
  visit: Visit,
  { service }: TestDashboard,
  { cookie }: Visitor,
  options?: VisitOptions,
): Promise<Page> {
  const page = await visit(service.httpsPort, options);
  const url = `https://localhost:${service.httpsPort}`;
  await page.context().addCookies(
    cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('='), url, secure: true };
    }),
  );
  return page;
}
