import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { anchorOf } from './document.ts';
import { loadDocument } from './documents.ts';

/** A document by its id; `data` is null where there is none of that id. */
export function useDocument(id: string) {
  const query = useQuery({
    queryKey: ['document', id],
    queryFn: () => loadDocument(id),
    // It came with the build, and changes with the next.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isThere = query.data !== undefined;
  // The part that the address names was not there when the browser looked for it.
  useEffect(() => {
    const anchor = isThere ? anchorOf(location.hash) : '';
    if (anchor !== '') document.getElementById(anchor)?.scrollIntoView();
  }, [isThere]);
  return query;
}
