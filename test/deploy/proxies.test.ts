import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../docs/markdown.ts';
import { aClosedPort } from '../support/closed-port.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { firstRunOf, keyOf, type PosternProcess, spawnPostern } from '../support/postern-process.ts';
import { findPrograms } from '../support/programs.ts';
import { type Answer, type SendOptions, transmit } from '../support/transmit.ts';

const programs = findPrograms('nginx', 'caddy', 'haproxy');
type Proxy = keyof typeof programs;

/** The ports of a proxy in the test, and its certificate. */
interface Place {
  readonly directory: string;
  readonly port: number;
  readonly plainPort: number;
}

interface Sample {
  readonly file: string;
  /** Each placeholder of the sample, and its value in the test; the sample must contain all of them. */
  readonly named: (place: Place) => Readonly<Record<string, string>>;
  /** Writes the other files of the program; returns the arguments that keep it in the foreground. */
  readonly begin: (place: Place, sample: string) => readonly string[];
  readonly asksForHealth: boolean;
}

const SAMPLES: Readonly<Record<Proxy, Sample>> = {
  nginx: {
    file: 'deploy/nginx/postern.conf',
    named: ({ directory, port, plainPort }) => ({
      '/etc/ssl/postern/fullchain.pem': join(directory, 'cert.pem'),
      '/etc/ssl/postern/privkey.pem': join(directory, 'key.pem'),
      '/var/log/nginx/postern.log': join(directory, 'proxy.log'),
      'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
      'listen [::]:443 ssl;': '',
      '127.0.0.1:8080': `127.0.0.1:${plainPort}`,
    }),
    begin: ({ directory }, sample) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
        .join(' ');
      const main = join(directory, 'nginx.conf');
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        main,
        `daemon off; ${user} pid ${directory}/nginx.pid; error_log stderr; events {}
http { ${temporary} access_log off; include ${sample}; }\n`,
      );
      return ['-c', main, '-e', 'stderr'];
    },
    asksForHealth: false,
  },
  caddy: {
    file: 'deploy/caddy/Caddyfile',
    named: ({ directory, port, plainPort }) => ({
      'auto_https disable_redirects': `auto_https disable_redirects\n\tadmin off`,
      'postern.example.org {': `https://localhost:${port} {\n\tbind 127.0.0.1`,
      '# tls /etc/ssl/postern/fullchain.pem /etc/ssl/postern/privkey.pem': `tls ${directory}/cert.pem ${directory}/key.pem`,
      '\tlog {': `\tlog {\n\t\toutput file ${directory}/proxy.log`,
      '127.0.0.1:8080': `127.0.0.1:${plainPort}`,
    }),
    begin: (_, sample) => ['run', '--config', sample, '--adapter', 'caddyfile'],
    asksForHealth: true,
  },
  haproxy: {
    file: 'deploy/haproxy/haproxy.cfg',
    named: ({ directory, port, plainPort }) => ({
      '/etc/haproxy/postern.pem': join(directory, 'both.pem'),
      'log /dev/log local0': 'log stdout format raw local0',
      'bind :443': `bind 127.0.0.1:${port}`,
      '127.0.0.1:8080': `127.0.0.1:${plainPort}`,
    }),
    begin: (_, sample) => ['-db', '-f', sample],
    asksForHealth: true,
  },
};

interface RunningProxy extends Place {
  readonly child: ChildProcess;
  /** The output of the program, and its log where that is a separate file. */
  readonly log: () => string;
}

async function startProxy(proxy: Proxy, place: Place): Promise<RunningProxy> {
  const { file, named, begin } = SAMPLES[proxy];
  const sample = Object.entries(named(place)).reduce((text, [name, value]) => {
    expect(text, `${file} names ${name}`).toContain(name);
    return text.replace(name, () => value);
  }, readPage(file));
  const path = join(place.directory, 'sample');
  writeFileSync(path, sample);
  const child = spawn(programs[proxy] ?? '', begin(place, path), {
    env: { ...process.env, HOME: place.directory, XDG_DATA_HOME: place.directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${proxy} ended with ${child.exitCode}:\n${said}`);
    if (await listens(place.port)) break;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const log = () => said + readOr(join(place.directory, 'proxy.log'));
  return { ...place, child, log };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const answer = (result: boolean) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', answer(true)).once('error', answer(false));
  });
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Forged by a client that pretends to have another address, and to have used HTTPS. */
const FORGED = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'http',
  forwarded: 'for=203.0.113.9;proto=http',
};

const installed = (Object.keys(SAMPLES) as Proxy[]).filter((proxy) => programs[proxy] !== null);

describe.skipIf(installed.length === 0)('the sample proxy configurations', () => {
  let root: string;
  let postern: PosternProcess;
  let ca: Buffer;
  let dns: DnsServer;
  const running = new Map<Proxy, RunningProxy>();

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'postern-proxies-'));
    const dataDir = join(root, 'data');
    dns = await startDnsServer({});
    dns.setBehaviour({ slowMs: 100 });
    postern = spawnPostern({
      dataDir,
      env: {
        POSTERN__HTTP__TRUSTED_PROXIES: '["127.0.0.1"]',
        POSTERN__DNS__SERVERS: `["${dns.address}"]`,
      },
    });
    const { plainPort } = await postern.ready;
    ca = readFileSync(join(dataDir, 'tls/ca.pem'));
    await Promise.all(
      installed.map(async (proxy) => {
        const directory = join(root, proxy);
        mkdirSync(directory);
        const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(dataDir, 'tls', name)) as [
          string,
          string,
        ];
        copyFileSync(cert, join(directory, 'cert.pem'));
        copyFileSync(key, join(directory, 'key.pem'));
        writeFileSync(join(directory, 'both.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
        const place = { directory, port: await aClosedPort(), plainPort: plainPort ?? 0 };
        running.set(proxy, await startProxy(proxy, place));
      }),
    );
  });

  afterAll(async () => {
    await Promise.all([...running.values()].map(({ child }) => stop(child)));
    await stop(postern.child);
    await dns.close();
    rmSync(root, { recursive: true, force: true });
  });

  const send = (proxy: Proxy, options: SendOptions) =>
    transmit({ ca, port: running.get(proxy)?.port, host: 'localhost', agent: false, ...options });
  const check = (proxy: Proxy, { headers, ...options }: SendOptions = {}): Promise<Answer> =>
    send(proxy, {
      ...{ method: 'POST', path: '/v1/', body: '{"email":"jane@example.com"}', ...options },
      headers: {
        authorization: `Bearer ${keyOf(postern)}`,
        'content-type': 'application/json',
        ...(headers as Record<string, string>),
      },
    });

  describe.each(Object.keys(SAMPLES) as Proxy[])('%s', (proxy) => {
    const isMissing = programs[proxy] === null;

    it.skipIf(isMissing)('passes on a check, and the request id of the client', async () => {
      const answer = await check(proxy, { headers: { 'request-id': `mine-${proxy}` } });
      expect([answer.status, answer.json?.normalized?.canonical]).toEqual([200, 'jane@example.com']);
      expect(answer.headers['request-id']).toBe(`mine-${proxy}`);
    });

    it.skipIf(isMissing)(
      'gives a request without an id one: the same id in both logs and in the answer',
      async () => {
        const { headers } = await check(proxy, { path: '/v1/?secret=yes' });
        const id = headers['request-id'];
        expect(id).toMatch(/^[0-9a-f-]{32,36}$/);
        const logs = () => [postern.stderr(), running.get(proxy)?.log() ?? ''];
        await expect.poll(() => logs().map((log) => log.includes(String(id)))).toEqual([true, true]);
        expect(logs().map((log) => log.includes('secret'))).toEqual([false, false]);
      },
    );

    it.skipIf(isMissing)('passes on no address and scheme that a client claims', async () => {
      expect((await check(proxy, { headers: FORGED })).status).toBe(200);
      const network = 10 + installed.indexOf(proxy);
      const wrong = (host: number, attempt: number) =>
        check(proxy, {
          localAddress: `127.0.${network}.${host}`,
          headers: {
            authorization: `Bearer pst_live_${'0'.repeat(40)}`,
            'x-forwarded-for': `203.0.113.${attempt}`,
          },
        });
      const attempts = await Promise.all(Array.from({ length: 21 }, (_, attempt) => wrong(2, attempt)));
      expect(attempts.filter(({ status }) => status === 429)).toHaveLength(1);
      expect((await wrong(3, 1)).status).toBe(401);
    });

    it.skipIf(isMissing)(
      'leaves the body limit of a check to Postern, and has a higher one of its own',
      async () => {
        const long = await check(proxy, { body: JSON.stringify({ email: 'x'.repeat(20_000) }) });
        expect([long.status, long.json?.error?.code]).toEqual([413, 'body_too_large']);
        const headers = { 'content-length': String(20_000_000) };
        expect((await check(proxy, { headers, body: '{' })).status).toBe(413);
      },
    );

    it.skipIf(isMissing)(
      'passes on the dashboard, with the headers that tell its own requests from those of other sites',
      async () => {
        const page = await send(proxy, { path: '/' });
        expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        const signIn = (origin: string) =>
          send(proxy, {
            ...{ method: 'POST', path: '/dashboard/api/session' },
            headers: { 'content-type': 'application/json', origin },
            body: '{"email":"jane@example.com","password":"wrong horse battery"}',
          });
        const { port } = running.get(proxy) as RunningProxy;
        expect((await signIn(`https://localhost:${port}`)).json?.error?.code).toBe('wrong_credentials');
        expect((await signIn('https://elsewhere.example')).json?.error?.code).toBe('foreign_origin');
      },
    );

    it.skipIf(isMissing || !SAMPLES[proxy].asksForHealth)('asks /readyz, and receives 200', async () => {
      const answers = () => readinessIn(postern.stderr());
      await expect.poll(() => answers().length).toBeGreaterThan(0);
      expect(answers().filter((status) => status !== 200)).toEqual([]);
    });
  });

  it('pass on a trial of addresses line by line', async () => {
    const [, token] = /#(\S+)$/m.exec(firstRunOf(postern)) ?? [];
    const [first = 'nginx'] = installed;
    const joined = await send(first, {
      ...{ method: 'POST', path: '/dashboard/api/setup' },
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        token,
        name: 'Ann',
        email: 'ann@example.com',
        password: 'four walnut canoes adrift',
      }),
    });
    expect(joined.status, joined.text).toBe(200);
    const cookie = (joined.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
    for (const proxy of installed) {
      const chunks = await trialThrough(running.get(proxy)?.port ?? 0, ca, cookie, `jane@${proxy}.example`);
      const first = chunks.findIndex((chunk) => chunk.includes('"begun"'));
      const last = chunks.findIndex((chunk) => chunk.includes('"decided"'));
      expect([first, last > first], proxy).toEqual([0, true]);
    }
  });

  it('answer in the form of Postern while Postern is down', async () => {
    await stop(postern.child);
    for (const proxy of installed) {
      const answer = await check(proxy);
      const { code, request_id } = answer.json?.error ?? {};
      expect([answer.status, code], `${proxy}: ${answer.text}`).toEqual([503, 'unavailable']);
      expect(answer.headers, proxy).toMatchObject({
        'content-type': 'application/json',
        'retry-after': '1',
        'request-id': request_id,
      });
    }
  });
});

/** The statuses that /readyz answered, from the service's log. */
function readinessIn(log: string): number[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"/readyz"'))
    .map((line) => JSON.parse(line).status);
}

/** The pieces in which the answer of a trial arrives. */
function trialThrough(port: number, ca: Buffer, cookie: string, email: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const sent = request(
      { host: 'localhost', port, ca, method: 'POST', path: '/dashboard/api/try-it', headers, agent: false },
      (response) => {
        const chunks: string[] = [];
        response.setEncoding('utf8').on('data', (chunk: string) => void chunks.push(chunk));
        response.on('end', () => resolve(chunks)).on('error', reject);
      },
    );
    sent.on('error', reject).end(JSON.stringify({ email }));
  });
}
