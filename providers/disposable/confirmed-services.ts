/** A share of fewer domains says little. */
const FEWEST = 20;

/**
 * The throw-away services with 20 domains and more, of which half and more are reviewed and none is established. Such a service buys its
 * domains and uses them again for years. Other services show domains of strangers too, which their users typed or which they made up.
 */
export function confirmedServices(
  seen: Iterable<readonly [domain: string, service: string | undefined]>,
  isReviewed: (domain: string) => boolean,
  isEstablished: (domain: string) => boolean,
): ReadonlySet<string> {
  const confirmed = [...Map.groupBy(seen, ([, service]) => service)].flatMap(([service, sightings]) => {
    const domains = sightings.map(([domain]) => domain);
    const isConfirmed =
      domains.length >= FEWEST &&
      domains.filter(isReviewed).length * 2 >= domains.length &&
      !domains.some(isEstablished);
    return service !== undefined && isConfirmed ? [service] : [];
  });
  return new Set(confirmed);
}
