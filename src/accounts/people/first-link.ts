import type { LinkStore, PeopleStore } from '../../storage/people-ports.ts';
import type { LinkService } from './link-service.ts';
import { linkPath } from './one-time-token.ts';

/**
 * Where nobody may sign in yet and nobody was asked to: a link by which the first owner does, as a path. Otherwise null;
 * `postern people setup-link` makes another.
 */
export async function createFirstLink(
  people: PeopleStore,
  links: LinkStore,
  service: LinkService,
): Promise<string | null> {
  if ((await people.hasAny()) || (await links.hasAny('setup'))) return null;
  return linkPath((await service.makeSetupLink()).token);
}
