import { cookieOf, PASSWORD } from '../../support/dashboard.ts';
import type { Answer } from '../../support/transmit.ts';
import type { Cluster } from './cluster.ts';
import type { Instance } from './instance.ts';

/** A person who is signed in to the dashboard of all instances. */
export interface ClusterPerson {
  /** A request to `/dashboard/api` of one instance; throws with the answer where it is a refusal. */
  ask(instance: Instance, method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Makes the first owner with the set-up link of the first start, at one instance. */
export async function joinAsOwner({ instances }: Pick<Cluster, 'instances'>): Promise<ClusterPerson> {
  const links = instances.flatMap((one) => /^POSTERN_SETUP_LINK=\S+#(\S+)$/m.exec(one.firstRun())?.[1] ?? []);
  const [instance] = instances;
  if (!instance || links.length !== 1) throw new Error(`there are ${links.length} set-up links`);
  const owner = { token: links[0], name: 'Ann', email: 'ann@firm.example', password: PASSWORD };
  const joined = await send(instance, 'POST', '/setup', owner, '');
  return personOf(cookieOf(joined));
}

/** Signs the owner in at one instance. */
export async function signIn(instance: Instance): Promise<ClusterPerson> {
  const credentials = { email: 'ann@firm.example', password: PASSWORD };
  return personOf(cookieOf(await send(instance, 'POST', '/session', credentials, '')));
}

function personOf(cookie: string): ClusterPerson {
  return { ask: (instance, method, path, body) => send(instance, method, path, body, cookie) };
}

async function send(instance: Instance, method: string, path: string, body: unknown, cookie: string) {
  const answer = await instance.send({
    method,
    path: `/dashboard/api${path}`,
    headers: {
      ...(cookie !== '' && { cookie }),
      ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 400) throw new Error(`${method} ${path} at ${instance.name}: ${answer.text}`);
  return answer;
}
