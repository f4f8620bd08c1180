import { defineProvider, unknown } from 'postern/provider-kit';
import { getDomain } from 'tldts';

/** With the private section of the Public Suffix List: under `github.io`, each name belongs to another person. */
const WITH_PRIVATE = { allowPrivateDomains: true, validateHostname: false };

const NO_NAME = unknown('not_run', 'the domain is no name with a top-level domain');
const A_SUFFIX = unknown('not_run', 'the domain is a public suffix: nothing is registered in it');

export default defineProvider({
  id: 'address',
  apiVersion: 1,
  description: 'The domain of the canonical form as text, for rules that name domains.',
  stage: 'local',
  facts: [
    {
      id: 'address.domain',
      type: 'domain',
      description:
        'The domain of the canonical form; of an IP address what stands in the brackets, with them.',
      example: 'mail.example.co.uk',
      personal: 'domain',
      never_unknown: true,
    },
    {
      id: 'address.tld',
      type: 'domain',
      description: 'The last label of the domain. Unknown where the domain is an IP address or has no dot.',
      example: 'uk',
      personal: 'domain',
    },
    {
      id: 'address.registrable_domain',
      type: 'domain',
      description:
        'What one owner has registered, by the Public Suffix List. Unknown where the domain is an IP address, has no dot, or is a public suffix.',
      example: 'example.co.uk',
      personal: 'domain',
    },
  ],
  check: ({ canonical, domainKind }) => {
    const domain = canonical.domain.toLowerCase();
    const isName = domainKind === 'name';
    return {
      facts: {
        'address.domain': domain,
        'address.tld': isName ? domain.slice(domain.lastIndexOf('.') + 1) : NO_NAME,
        'address.registrable_domain': isName ? (getDomain(domain, WITH_PRIVATE) ?? A_SUFFIX) : NO_NAME,
      },
    };
  },
});
