import { webcrypto, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  ensureCertificate,
  issueLocalhostCertificate,
  shownHost,
} from '../../../src/http/server/certificate.ts';
import { faultsOf } from '../../app/config/load.ts';
import { temporaryFolder } from '../../app/config/temporary-folder.ts';
import { openListeners } from './open-listeners.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const NO_FILES = { certFile: null, keyFile: null };

const ensure = (dataDir: string, now = NOW, host = '0.0.0.0') =>
  ensureCertificate({ dataDir, http: { host, tls: NO_FILES } }, { now: () => now });
const ensureOwn = (folder: string, now = NOW) =>
  ensureCertificate(
    {
      dataDir: folder,
      http: { host: '::', tls: { certFile: join(folder, 'c.pem'), keyFile: join(folder, 'k.pem') } },
    },
    { now: () => now },
  );

/** Connects as a client that trusts only this authority; rejects when the chain or the name is not valid. */
function peerCertificate(port: number, ca: string, servername?: string): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca, ...(servername ? { servername } : {}) }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    }).once('error', reject);
  });
}

describe('the first start’s certificate', () => {
  it('is valid for localhost and 127.0.0.1 for a client that trusts only ca.pem', async () => {
    const dataDir = temporaryFolder();
    const certificate = await ensure(dataDir);
    const { httpsPort } = await openListeners({}, undefined, certificate);
    const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8');
    const { subjectaltname } = await peerCertificate(httpsPort, ca);
    expect(subjectaltname).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    await peerCertificate(httpsPort, ca, 'localhost');
    await expect(peerCertificate(httpsPort, ca, 'postern.example')).rejects.toThrow(/altnames/);
  });

  it.each([
    ['10.1.2.3', ', IP Address:10.1.2.3'],
    ['2001:db8::7', ', IP Address:2001:DB8:0:0:0:0:0:7'],
    ['postern.internal', ', DNS:postern.internal'],
    ['127.0.0.1', ''],
    ['::', ''],
  ])(
    'includes the configured address, %s, where it is a single address of the machine',
    async (host, more) => {
      const { cert } = await ensure(temporaryFolder(), NOW, host);
      expect(new X509Certificate(cert).subjectAltName).toBe(
        `DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1${more}`,
      );
    },
  );

  it('is not trusted with another authority', async () => {
    const { httpsPort } = await openListeners({}, undefined, await ensure(temporaryFolder()));
    const other = await issueLocalhostCertificate(NOW);
    await expect(peerCertificate(httpsPort, other.ca)).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('is stored in 0600 files of a 0700 directory, and the authority’s private key is not stored', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'tls'));
    chmodSync(join(dataDir, 'tls'), 0o755);
    const { key, caFile } = await ensure(dataDir);
    const directory = join(dataDir, 'tls');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(directory).toSorted()).toEqual(['ca.pem', 'cert.pem', 'key.pem']);
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, 'key.pem'), 'utf8')).toBe(key);
    expect(caFile).toBe(join(directory, 'ca.pem'));
  });

  it('is the same one for concurrent reloads', async () => {
    const dataDir = temporaryFolder();
    const certificates = await Promise.all(Array.from({ length: 8 }, () => ensure(dataDir)));
    expect(new Set(certificates.map(({ cert }) => cert)).size).toBe(1);
    expect(certificates[0]?.cert).toBe(readFileSync(join(dataDir, 'tls', 'cert.pem'), 'utf8'));
    expect(readdirSync(dataDir)).toEqual(['tls']);
  });

  it('names the directory where it cannot be stored', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'file'), '');
    const directory = join(dataDir, 'file', 'tls');
    expect(await faultsOf(() => ensure(join(dataDir, 'file')))).toEqual([
      `${directory}: the certificate cannot be read or written there (ENOTDIR)`,
    ]);
  });

  it('stays the same until 30 days before it expires, and is then replaced', async () => {
    const dataDir = temporaryFolder();
    const first = await ensure(dataDir);
    const end = new X509Certificate(first.cert).validToDate.getTime();
    expect((await ensure(dataDir, end - 31 * DAY_MS)).cert).toBe(first.cert);
    const second = await ensure(dataDir, end - 29 * DAY_MS);
    expect(second.cert).not.toBe(first.cert);
    expect(new X509Certificate(second.cert).validToDate.getTime()).toBeGreaterThan(end);
  });

  it.each(['ca.pem', 'cert.pem', 'key.pem'])(
    'is replaced when %s is missing or does not match',
    async (name) => {
      const dataDir = temporaryFolder();
      const first = await ensure(dataDir);
      rmSync(join(dataDir, 'tls', name));
      const second = await ensure(dataDir);
      expect(second.cert).not.toBe(first.cert);
      writeFileSync(join(dataDir, 'tls', name), 'not PEM');
      expect((await ensure(dataDir)).cert).not.toBe(second.cert);
    },
  );
});

describe('TLS 1.2', () => {
  const offer = (port: number, ciphers: string) =>
    new Promise<string>((resolve, reject) => {
      const options = {
        port,
        host: '127.0.0.1',
        ciphers,
        maxVersion: 'TLSv1.2',
        rejectUnauthorized: false,
      } as const;
      const socket = connect(options, () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      }).once('error', reject);
    });

  it('uses only AEAD suites, also after a reload', async () => {
    const { httpsPort, reloadCertificate } = await openListeners(
      {},
      undefined,
      await ensure(temporaryFolder()),
    );
    for (const round of ['start', 'reload']) {
      if (round === 'reload') await reloadCertificate();
      expect(await offer(httpsPort, 'ECDHE-ECDSA-AES128-GCM-SHA256')).toBe('ECDHE-ECDSA-AES128-GCM-SHA256');
      await expect(offer(httpsPort, 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA')).rejects.toThrow(
        /handshake/,
      );
    }
  });
});

describe('a configured certificate', () => {
  const write = async (folder: string) => {
    const pems = await issueLocalhostCertificate(NOW);
    writeFileSync(join(folder, 'c.pem'), pems.cert);
    writeFileSync(join(folder, 'k.pem'), pems.key);
    chmodSync(join(folder, 'k.pem'), 0o600);
    return pems;
  };

  it('is served, and the data directory is not changed', async () => {
    const folder = temporaryFolder();
    const { ca } = await write(folder);
    const certificate = await ensureOwn(folder);
    expect(certificate.caFile).toBeNull();
    const { httpsPort } = await openListeners({}, undefined, certificate);
    await peerCertificate(httpsPort, ca);
    expect(readdirSync(folder)).not.toContain('tls');
  });

  it('is read again on reload: new connections get the new one', async () => {
    const folder = temporaryFolder();
    const before = await write(folder);
    const { httpsPort, reloadCertificate } = await openListeners({}, undefined, await ensureOwn(folder));
    const after = await write(folder);
    await reloadCertificate();
    await peerCertificate(httpsPort, after.ca);
    await expect(peerCertificate(httpsPort, before.ca)).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('stays in use when the reload finds faults', async () => {
    const folder = temporaryFolder();
    const { ca } = await write(folder);
    const { httpsPort, reloadCertificate } = await openListeners({}, undefined, await ensureOwn(folder));
    writeFileSync(join(folder, 'c.pem'), 'broken');
    expect(await faultsOf(reloadCertificate)).toHaveLength(1);
    await peerCertificate(httpsPort, ca);
  });

  it('is refused with all its faults', async () => {
    const folder = temporaryFolder({ 'c.pem': 'no', 'k.pem': 'no' });
    expect(await faultsOf(() => ensureOwn(folder))).toEqual([
      `http.tls.cert_file: ${folder}/c.pem holds no PEM certificate`,
      `http.tls.key_file: ${folder}/k.pem holds no PEM private key, or one with a passphrase`,
    ]);
    expect(await faultsOf(() => ensureOwn(join(folder, 'no')))).toEqual([
      `http.tls.cert_file: ${folder}/no/c.pem cannot be read (ENOENT)`,
      `http.tls.key_file: ${folder}/no/k.pem cannot be read (ENOENT)`,
    ]);
  });

  it('is refused with a key that every user can read, at the start and on reload; the group may read it', async () => {
    const folder = temporaryFolder();
    await write(folder);
    const { reloadCertificate } = await openListeners({}, undefined, await ensureOwn(folder));
    chmodSync(join(folder, 'k.pem'), 0o640);
    await reloadCertificate();
    chmodSync(join(folder, 'k.pem'), 0o644);
    const fault = `http.tls.key_file: ${folder}/k.pem can be read by every user of this machine; chmod o= it`;
    expect(await faultsOf(() => ensureOwn(folder))).toEqual([fault]);
    expect(await faultsOf(reloadCertificate)).toEqual([fault]);
  });

  it('is refused with a truncated intermediate, at the start and on reload', async () => {
    const folder = temporaryFolder();
    const { ca, cert } = await write(folder);
    const { reloadCertificate } = await openListeners({}, undefined, await ensureOwn(folder));
    writeFileSync(join(folder, 'c.pem'), `${cert}${ca.slice(0, 300)}\n`);
    const fault = expect.stringMatching(/^http\.tls\.cert_file: .*c\.pem cannot be served: .*PEM routines/);
    expect(await faultsOf(() => ensureOwn(folder))).toEqual([fault]);
    expect(await faultsOf(reloadCertificate)).toEqual([fault]);
  });

  it('is refused before it is valid', async () => {
    const folder = temporaryFolder();
    await write(folder);
    expect(await faultsOf(() => ensureOwn(folder, NOW - 400 * DAY_MS))).toEqual([
      expect.stringMatching(/^http\.tls\.cert_file: .* is not valid before .*; is the clock right\?$/),
    ]);
  });

  it('is refused with the key of another certificate, and when it has expired', async () => {
    const folder = temporaryFolder();
    const { cert } = await write(folder);
    expect(await faultsOf(() => ensureOwn(folder, NOW + 1000 * DAY_MS))).toEqual([
      expect.stringMatching(/^http\.tls\.cert_file: .* expired on \S+Z; renew it, or set the clock right$/),
    ]);
    await write(folder);
    writeFileSync(join(folder, 'c.pem'), cert);
    expect(await faultsOf(() => ensureOwn(folder))).toEqual([
      `http.tls.key_file: ${folder}/k.pem is not the key of the first certificate in ${folder}/c.pem`,
    ]);
  });
});

describe('links and examples use the host', () => {
  it.each([
    ['0.0.0.0', 'localhost'],
    ['::', 'localhost'],
    ['127.0.0.1', 'localhost'],
    ['10.1.2.3', '10.1.2.3'],
    ['2001:db8::7', '[2001:db8::7]'],
    ['postern.internal', 'postern.internal'],
  ])('of a service that listens on %s %s', (host, shown) => {
    expect(shownHost({ host, tls: NO_FILES })).toBe(shown);
  });

  it('localhost where the certificate cannot be read', () => {
    const tls = { certFile: join(temporaryFolder(), 'none.pem'), keyFile: '/none.pem' };
    expect(shownHost({ host: '10.1.2.3', tls })).toBe('localhost');
  });

  it.each([
    [['*.x.org', 'postern.x.org'], 'postern.x.org'],
    [['*.x.org'], 'localhost'],
    [[], 'localhost'],
  ])('of a certificate for %j %s', async (names, shown) => {
    const x509 = await import('@peculiar/x509');
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=x',
      keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'ip', value: '10.1.2.3' },
          ...names.map((value) => ({ type: 'dns' as const, value })),
        ]),
      ],
    });
    const certFile = join(temporaryFolder(), 'c.pem');
    writeFileSync(certFile, made.toString('pem'));
    expect(shownHost({ host: '10.1.2.3', tls: { certFile, keyFile: certFile } })).toBe(shown);
  });
});
