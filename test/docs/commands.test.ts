import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostProcess } from '../../src/cli/shell.ts';
import { idOf } from '../../src/lists/list-store.ts';
import { aWorld, type World } from '../cli/world.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { plainList, startListServer } from '../support/list-server.ts';
import { aClient } from '../support/postern-process.ts';
import { ZONE } from '../support/service.ts';
import { fencesOf, filesIn, proseOf, readPage } from './markdown.ts';

/** Pages with commands to copy. docs/cli.md has its own test: test/cli/docs.test.ts. */
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'docs/operations.md', 'docs/providers.md', 'docs/rules.md'],
  // From an empty folder to a provider that passes its tests, within the time limit of a test.
  'docs/provider-packages.md',
];

/** The exit code where it is not 0: README shows a BLOCK, and no service runs while the commands do. */
const ENDS_WITH: Readonly<Record<string, number>> = {
  'check info+promo@mailinator.com --explain': 1,
  health: 1,
};

let dns: DnsServer;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  // The name that `postern doctor` asks a name server for.
  dns = await startDnsServer({ ...ZONE, 'a.root-servers.net': { A: ['198.41.0.4'] } });
  env = { POSTERN__DNS__SERVERS: JSON.stringify([dns.address]), POSTERN__LOG__LEVEL: 'silent' };
});
afterAll(() => dns.close());

/** At the beginning of a fenced line, or after `npx` between backticks; without shell comments. */
function commandsOf(markdown: string): readonly string[] {
  const fenced = fencesOf(markdown).flatMap(({ text }) => [
    ...text.matchAll(/^(?:\$ )?(?:npx )?postern ([^#\n]+)/gm),
  ]);
  const inline = [...proseOf(markdown).matchAll(/`npx postern ([^`]+)`/g)];
  return [...new Set([...fenced, ...inline].map(([, command = '']) => command.trim()))];
}

/** A list that has one more domain at each request. */
async function startGrowingList(): Promise<string> {
  const domains = ['a.example'];
  const server = await startListServer((request, response) => {
    domains.push(`d${domains.length}.example`);
    plainList(domains)(request, response);
  });
  return server.url;
}

/** Serves in `world` for one check of jane.doe@gmail.com; returns the check's id. */
async function serveOneCheck(world: World, env: Readonly<Record<string, string>>): Promise<string> {
  const listeners = new Map<string, (reason: unknown) => void>();
  const host: HostProcess = {
    on: (event, listener) => listeners.set(event, listener),
    off: (event) => listeners.delete(event),
    exit: (code) => expect.fail(`exit(${code})`),
  };
  const checked = Promise.withResolvers<string>();
  const ready = (stdout: string) => {
    const key = /pst_live_\w+/.exec(stdout)?.[0];
    const port = /^ready https:\/\/\S+:(\d+)$/m.exec(stdout)?.[1];
    if (key === undefined || port === undefined) return;
    const client = aClient(join(world.cwd, 'data'), Number(port), key);
    client
      .check('jane.doe@gmail.com')
      .then(({ json }) => checked.resolve(json.id), checked.reject)
      .finally(() => {
        client.close();
        listeners.get('SIGTERM')?.('SIGTERM');
      });
  };
  const { code } = await world.postern(['serve', '--port', '0'], {
    ...{ env, process: host, isTTY: true },
    onStdout: ready,
  });
  expect(code).toBe(0);
  return checked.promise;
}

describe.each(PAGES)('%s', (page) => {
  it('has commands that exit as the page says', async () => {
    const markdown = readPage(page);
    const commands = commandsOf(markdown);
    expect(commands.length).toBeGreaterThan(0);

    // As an operator would have installed it.
    const world = aWorld({}, page !== 'docs/operations.md');
    const listUrl = await startGrowingList();
    world.write('config/local.yaml', `lists: { urls: ["${listUrl}"], allow_private_addresses: true }\n`);
    const checkId = await serveOneCheck(world, env);
    const keyId = (await world.postern(['keys', 'list', '--json'])).json().keys[0].id;
    for (const [name, text] of filesIn(markdown)) world.write(name, text);
    cpSync(join(world.cwd, 'rules'), join(world.cwd, 'draft'), { recursive: true });
    for (const command of commands) {
      const argv = command
        .replace('key_…', keyId)
        .replace('chk_…', checkId)
        .replace('NAME', idOf(listUrl))
        // Beside the checkout; here they lie in one folder.
        .replace('../plugin.yaml', 'plugin.yaml')
        .split(' ');
      const { code, stdout, stderr } = await world.postern(argv, { env });
      expect(code, `${command}\n${stdout}${stderr}`).toBe(ENDS_WITH[command] ?? 0);
    }
  });
});
