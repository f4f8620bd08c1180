// Must stay the first import: di.ts loads reflect-metadata, which the certificate library needs.
import '../../di.ts';
import { createPrivateKey, KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { isIP, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../app/config/config.ts';
import { StartupError } from '../../errors.ts';
import { Mutex } from '../../lib/concurrency.ts';
import { codeOf, messageOf, orIfAbsent } from '../../lib/thrown.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { makePrivateDirectory } from '../../storage/private-files.ts';

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The file of the authority that clients must trust; null for a configured certificate. */
  readonly caFile: string | null;
  /** Reads the files again. Rejects with a StartupError when they cannot be used. */
  reload(): Promise<Certificate>;
}

/** Whether the service makes its own certificate, whose authority clients do not trust yet. */
export function hasOwnAuthority({ http }: { readonly http: Pick<Config['http'], 'tls'> }): boolean {
  return http.tls.certFile === null;
}

/** Values of `http.host` with which the service is reached as localhost. */
const REACHED_AS_LOCALHOST = ['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'];

/** Empty where the file cannot be read: a command that only shows a link does not need the names, and a start reports the fault. */
function namesIn(file: string | null): string {
  try {
    return (file !== null && new X509Certificate(readFileSync(file)).subjectAltName) || '';
  } catch {
    return '';
  }
}

/** The host in links and examples: the first DNS name of a configured certificate, or localhost; without one `http.host`, or localhost. */
export function shownHost({ host, tls }: Pick<Config['http'], 'host' | 'tls'>): string {
  const [, name] = /\bDNS:([^*,\s]+)(?:,|$)/.exec(namesIn(tls.certFile)) ?? [];
  if (name !== undefined) return name;
  if (tls.certFile !== null || REACHED_AS_LOCALHOST.includes(host)) return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * The configured certificate, else one for localhost and `http.host` in the data directory, made when it is missing or near its end.
 * A certificate that is there stays when `http.host` changes, because clients trust it.
 */
export async function ensureCertificate(
  config: { readonly dataDir: string; readonly http: Pick<Config['http'], 'host' | 'tls'> },
  clock: Clock,
): Promise<Certificate> {
  const { certFile, keyFile } = config.http.tls;
  const reload = () => ensureCertificate(config, clock);
  if (certFile !== null && keyFile !== null) {
    return { ...(await readOwnCertificate(certFile, keyFile, clock)), caFile: null, reload };
  }
  return { ...(await readLocalhostCertificate(config.dataDir, config.http.host, clock)), reload };
}

/** Reads and checks `http.tls.cert_file` and `http.tls.key_file`. Throws one StartupError with every fault of both. */
async function readOwnCertificate(certFile: string, keyFile: string, clock: Clock) {
  const faults: string[] = [];
  const read = async <Parsed>(
    setting: string,
    file: string,
    parse: (text: string) => Parsed,
    what: string,
  ) => {
    let text: string | undefined;
    try {
      text = await readFile(file, 'utf8');
      return { text, parsed: parse(text) };
    } catch (error) {
      const fault = text === undefined ? `cannot be read (${codeOf(error)})` : `holds no PEM ${what}`;
      faults.push(`${setting}: ${file} ${fault}`);
      return undefined;
    }
  };
  const cert = await read('http.tls.cert_file', certFile, (pem) => new X509Certificate(pem), 'certificate');
  const key = await read(
    'http.tls.key_file',
    keyFile,
    createPrivateKey,
    'private key, or one with a passphrase',
  );
  if (cert && key && !cert.parsed.checkPrivateKey(key.parsed)) {
    faults.push(`http.tls.key_file: ${keyFile} is not the key of the first certificate in ${certFile}`);
  }
  // Its group may read the key, as with Debian's packages (ssl-cert) and a Kubernetes secret with `fsGroup`; others may not.
  if (key && ((await stat(keyFile)).mode & 0o007) !== 0) {
    faults.push(`http.tls.key_file: ${keyFile} can be read by every user of this machine; chmod o= it`);
  }
  if (cert && cert.parsed.validFromDate.getTime() > clock.now()) {
    faults.push(
      `http.tls.cert_file: ${certFile} is not valid before ${cert.parsed.validFromDate.toISOString()}; is the clock right?`,
    );
  }
  if (cert && cert.parsed.validToDate.getTime() <= clock.now()) {
    faults.push(
      `http.tls.cert_file: ${certFile} expired on ${cert.parsed.validToDate.toISOString()}; renew it, or set the clock right`,
    );
  }
  if (cert === undefined || key === undefined || faults.length > 0) throw new StartupError(faults);
  try {
    // Reads the intermediates too, and knows which keys are too short to be served.
    createSecureContext({ cert: cert.text, key: key.text });
  } catch (error) {
    throw new StartupError([`http.tls.cert_file: ${certFile} cannot be served: ${messageOf(error)}`]);
  }
  return { cert: cert.text, key: key.text };
}

type LocalhostCertificate = Awaited<ReturnType<typeof issueLocalhostCertificate>>;

/** The longest lifetime that Apple's clients accept (support.apple.com/en-us/103769). */
const LIFETIME_MS = 825 * DAY_MS;
/** How far before now the certificate starts, for clients whose clock is behind. */
const BACKDATE_MS = DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes an authority and its only certificate, for localhost and `host`: the authority's private key is dropped, so it can sign no other. */
export async function issueLocalhostCertificate(now: number, host = 'localhost') {
  // Loaded only when needed: it takes longer than all the rest of a start.
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const validity = { notBefore: new Date(now - BACKDATE_MS), notAfter: new Date(now + LIFETIME_MS) };
  const authority = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const server = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const others = REACHED_AS_LOCALHOST.includes(host) ? [] : [host];
  // A name of its own, so that clients never mistake a remade authority for the old one.
  const name = `CN=Postern on localhost ${randomBytes(4).toString('hex')}`;

  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name,
    keys: authority,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const cert = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=localhost',
    issuer: name,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        ['localhost', '127.0.0.1', '::1', ...others].map((value) => ({
          type: isIP(value) === 0 ? 'dns' : 'ip',
          value,
        })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(server.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const key = KeyObject.from(server.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ca: `${ca.toString('pem')}\n`, cert: `${cert.toString('pem')}\n`, key };
}

/** A start or a SIGHUP remakes the certificate when it expires within this time. */
const RENEWAL_MS = 30 * DAY_MS;

/** Two reloads at once make one certificate. No lock between processes: each has its own data directory. */
const oneAtATime = new Mutex();

/** The certificate in `<data dir>/tls`, remade where missing, unusable or near its end. Throws StartupError where it cannot be read or written. */
async function readLocalhostCertificate(dataDir: string, host: string, clock: Clock) {
  const directory = join(dataDir, 'tls');
  try {
    const { cert, key } = await oneAtATime.run(() => readOrMake(directory, host, clock.now()));
    return { cert, key, caFile: join(directory, 'ca.pem') };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new StartupError(
      [`${directory}: the certificate cannot be read or written there (${code})`],
      code === 'ENOSPC',
    );
  }
}

async function readOrMake(directory: string, host: string, now: number): Promise<LocalhostCertificate> {
  const known = await orIfAbsent(readPems(directory), undefined);
  if (known !== undefined && isUsable(known, now + RENEWAL_MS)) return known;
  const made = await issueLocalhostCertificate(now, host);
  makePrivateDirectory(directory);
  // A directory that was there before may have other permissions.
  await chmod(directory, 0o700);
  for (const name of ['key', 'cert', 'ca'] as const) {
    const path = join(directory, `${name}.pem`);
    await writeFile(`${path}.new`, made[name], { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  return made;
}

async function readPems(directory: string): Promise<LocalhostCertificate> {
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  return { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') };
}

/** The files are written one by one: after a crash between two writes they do not match, and are remade. */
function isUsable({ ca, cert, key }: LocalhostCertificate, until: number): boolean {
  try {
    const [authority, certificate] = [new X509Certificate(ca), new X509Certificate(cert)];
    return (
      certificate.verify(authority.publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      Math.min(authority.validToDate.getTime(), certificate.validToDate.getTime()) > until
    );
  } catch {
    return false;
  }
}
