import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../app/config/temporary-folder.ts';
import { servePages } from './serve-pages.ts';

const ROUTES = ['/', '/sign-in', '/keys', '/checks', '/checks/:id', '/docs/:folder/:name'];
const PAGES = JSON.stringify({
  pages: Object.fromEntries(ROUTES.map((route) => [route, [0]])),
  files: ['a-1.js'],
});
const PAGE = `<!doctype html><script src="/assets/a-1.js" data-pages="${PAGES.replaceAll('"', '&quot;')}"></script>\
<meta name="style-nonce" nonce="__STYLE_NONCE__"><title>Postern</title><style nonce="__STYLE_NONCE__"></style>`;
const aBuild = () => temporaryFolder({ 'index.html': PAGE, 'assets/a-1.js': '1;\n' });

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1];

describe('the dashboard’s page', () => {
  it('is served at every address of the client, and at no other', async () => {
    const ask = await servePages(aBuild());
    for (const route of ROUTES) {
      const answer = await ask(route.replaceAll(/:\w+/g, 'chk_1'));
      expect(answer.status, route).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    for (const path of ['/nowhere', '/checks/a/b', '/Keys', '/index.html', '/src/main.tsx', '/v1/x']) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(404);
      expect(JSON.parse(await answer.text()).error.code).toBe('not_found');
    }
  });

  it('answers 404 with the page where a browser opens another address, and with JSON below the addresses of programs', async () => {
    const ask = await servePages(aBuild());
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/nowhere', '/checks/a/b', '/Keys']) {
      const answer = await ask(path, { headers });
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await answer.text()).toContain(
        `nonce="${nonceOf(answer.headers.get('content-security-policy'))}"`,
      );
    }
    for (const path of ['/v1/x', '/assets/gone-1.js', '/dashboard/api/nothing']) {
      const answer = await ask(path, { headers });
      expect(JSON.parse(await answer.text()).error.code, path).toBe('not_found');
    }
    expect((await ask('/nowhere', { method: 'POST', headers, body: 'x' })).headers.get('content-type')).toBe(
      'application/json',
    );
  });

  it('has a nonce for its styles that no other answer has, in the policy and in the page', async () => {
    const ask = await servePages(aBuild());
    const [first, second] = [await ask('/'), await ask('/')];
    const nonce = nonceOf(first.headers.get('content-security-policy'));
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect((await first.text()).split(`nonce="${nonce}"`)).toHaveLength(3);
    expect(nonceOf(second.headers.get('content-security-policy'))).not.toBe(nonce);
  });

  it('allows only its own scripts, no frame around it and no caching', async () => {
    const ask = await servePages(aBuild());
    const { headers } = await ask('/sign-in');
    const policy = (headers.get('content-security-policy') ?? '').replace(/'nonce-[^']+'/, "'nonce-…'");
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-…'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
      'permissions-policy': expect.stringContaining('geolocation=()'),
    });
  });

  it('accepts only GET and HEAD', async () => {
    const ask = await servePages(aBuild());
    const head = await ask('/keys', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const posted = await ask('/keys', { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('says how to build it where it is not built', async () => {
    const ask = await servePages(temporaryFolder());
    const answer = await ask('/');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
    expect((await ask('/assets/a-1.js')).status).toBe(404);
    const elsewhere = await ask('/nowhere', { headers: { accept: 'text/html' } });
    expect(elsewhere.headers.get('content-type')).toBe('application/json');
  });
});
