import type { Config } from '../../app/config/config.ts';
import { StartupError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { readLocalhostCertificate } from './localhost-certificate.ts';
import { readOwnCertificate } from './own-certificate.ts';

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
