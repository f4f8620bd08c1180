import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../../app/config/config.ts';
import { StartupError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { readLocalhostCertificate } from './localhost-certificate.ts';

/** A certificate with its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The authority to trust; null with a certificate of one's own. */
  readonly caFile: string | null;
  /** Reads the files again. Rejects with a StartupError when they cannot be used. */
  reload(): Promise<Certificate>;
}

/** The configured certificate, else one for localhost in the data directory, made when it is missing or near its end. */
export async function ensureCertificate(
  config: { readonly dataDir: string; readonly http: Pick<Config['http'], 'tls'> },
  clock: Clock,
): Promise<Certificate> {
  const { certFile, keyFile } = config.http.tls;
  if ((certFile === null) !== (keyFile === null)) {
    throw new StartupError(['http.tls: cert_file and key_file go together']);
  }
  const reload = () => ensureCertificate(config, clock);
  if (certFile !== null && keyFile !== null) {
    return { ...(await readOwnCertificate(certFile, keyFile, clock)), caFile: null, reload };
  }
  return { ...(await readLocalhostCertificate(config.dataDir, clock)), reload };
}

/** Reads and checks `http.tls.cert_file` and `http.tls.key_file`; all that is wrong with them is told at once. */
async function readOwnCertificate(
  certFile: string,
  keyFile: string,
  clock: Clock,
): Promise<{ cert: string; key: string }> {
  const faults: string[] = [];
  const read = async (setting: string, file: string) => {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      faults.push(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
      return undefined;
    }
  };
  const cert = await read('http.tls.cert_file', certFile);
  const key = await read('http.tls.key_file', keyFile);

  const certificate = cert === undefined ? undefined : attempt(() => new X509Certificate(cert));
  const privateKey = key === undefined ? undefined : attempt(() => createPrivateKey(key));
  if (cert !== undefined && certificate === undefined) {
    faults.push(`http.tls.cert_file: ${certFile} holds no PEM certificate`);
  }
  if (key !== undefined && privateKey === undefined) {
    faults.push(`http.tls.key_file: ${keyFile} holds no PEM private key, or one with a passphrase`);
  }
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey)) {
    faults.push(`http.tls.key_file: ${keyFile} is not the key of the first certificate in ${certFile}`);
  }
  if (certificate && certificate.validToDate.getTime() <= clock.now()) {
    faults.push(`http.tls.cert_file: ${certFile} expired on ${certificate.validToDate.toISOString()}`);
  }
  if (cert === undefined || key === undefined || faults.length > 0) throw new StartupError(faults);
  return { cert, key };
}

/** Undefined where the text cannot be read as what it should be. */
function attempt<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
