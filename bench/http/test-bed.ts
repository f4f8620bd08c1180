import { join } from 'node:path';
import { transmit } from '../../test/support/transmit.ts';
import { addressAt } from '../support/addresses.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { root, workDirectory } from '../support/paths.ts';
import { authorityOf, type Postern, type PosternOptions, startPostern } from '../support/postern.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { BY_CONFIGURATION, type Part } from './parts.ts';

/** The servers that are compared, each a process, all with one certificate; closed together. */
export class TestBed {
  readonly #directory = workDirectory('http');
  readonly #closings: (() => Promise<void>)[] = [];
  #dns: string | undefined;

  async postern(options: Partial<PosternOptions> & { readonly name: string }): Promise<Postern> {
    const postern = await startPostern({
      dataDir: join(this.#directory, options.name),
      dns: await this.#dnsServer(),
      ...options,
    });
    this.#closings.push(() => postern.stop());
    return postern;
  }

  /** The service as built, with one part left out, under the certificate of another. */
  posternWithout(part: Part, { dataDir }: Postern): Promise<Postern> {
    const tls = { cert_file: join(dataDir, 'tls/cert.pem'), key_file: join(dataDir, 'tls/key.pem') };
    return this.postern({
      name: `without-${part}`,
      config: { http: { tls }, ...BY_CONFIGURATION[part] },
      nodeArgs: ['--import', join(root, 'bench/http/without.ts')],
      env: { BENCH_WITHOUT: part },
    });
  }

  /** Koa alone, under the certificate of a Postern and with answers as long as its. */
  async bareKoa(postern: Postern): Promise<ServerProcess> {
    const tls = ['cert.pem', 'key.pem'].map((name) => join(postern.dataDir, 'tls', name));
    const length = String(await answerLength(postern));
    const server = await startServer({
      args: [join(root, 'bench/http/bare-koa.ts'), ...tls, length],
      logFile: join(this.#directory, 'bare-koa.log'),
    });
    this.#closings.push(() => server.stop());
    return server;
  }

  async close(): Promise<void> {
    for (const close of this.#closings.reverse()) await close();
  }

  async #dnsServer(): Promise<string> {
    if (this.#dns === undefined) {
      const dns = await startLoopbackDns();
      this.#closings.push(() => dns.close());
      this.#dns = dns.address;
    }
    return this.#dns;
  }
}

/** In octets, of the body. */
async function answerLength(postern: Postern): Promise<number> {
  const { status, text } = await transmit({
    port: postern.port,
    ca: authorityOf(postern),
    method: 'POST',
    path: '/v1/',
    headers: { authorization: `Bearer ${postern.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: addressAt(1) }),
  });
  if (status !== 200) throw new Error(`Postern answered ${status}: ${text}`);
  return Buffer.byteLength(text);
}
