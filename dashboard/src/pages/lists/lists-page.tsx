import { Badge, Tabs } from '@mantine/core';
import { useAddress } from '../../address.ts';
import { useLists } from '../../api/lists.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { DataLists } from './data-lists.tsx';
import { DownloadList } from './download-list.tsx';
import { EntryList } from './entry-list.tsx';
import { NamedLists } from './named-lists.tsx';

const TABS = ['allow', 'deny', 'named', 'downloaded', 'built-in'] as const;

/** Every list that decides something. */
export default function ListsPage() {
  const [search, put] = useAddress();
  const wanted = search.get('list');
  const tab = TABS.find((name) => name === wanted) ?? 'allow';
  return (
    <Page
      docs="dashboard#lists"
      title="Lists"
      description="Who is never blocked by the rules and who always is, and the lists of domains that rules look into and providers answer from."
    >
      <Loaded query={useLists()} deed="The lists could not be read" label="Loading the lists" height={320}>
        {({ own, named, downloads, data }) => (
          <Tabs value={tab} onChange={(list) => put({ list })} keepMounted={false}>
            <Tabs.List mb="md">
              {own.map(({ list, entries }) => (
                <Tab
                  key={list}
                  name={list}
                  label={list === 'allow' ? 'Allow' : 'Deny'}
                  count={entries.length}
                />
              ))}
              <Tab name="named" label="Named" count={named.length} />
              <Tab name="downloaded" label="Downloaded" count={downloads.length} />
              <Tab name="built-in" label="Of the providers" count={data.length} />
            </Tabs.List>
            {own.map((list) => (
              <Tabs.Panel key={list.list} value={list.list}>
                <EntryList list={list} />
              </Tabs.Panel>
            ))}
            <Tabs.Panel value="named">
              <NamedLists lists={named} />
            </Tabs.Panel>
            <Tabs.Panel value="downloaded">
              <DownloadList downloads={downloads} />
            </Tabs.Panel>
            <Tabs.Panel value="built-in">
              <DataLists lists={data} downloads={downloads} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  );
}

interface TabProps {
  readonly name: (typeof TABS)[number];
  readonly label: string;
  readonly count: number;
}

function Tab({ name, label, count }: TabProps) {
  const badge = (
    <Badge size="sm" color="gray" circle={count < 10}>
      {count}
    </Badge>
  );
  return (
    <Tabs.Tab value={name} rightSection={badge}>
      {label}
    </Tabs.Tab>
  );
}
