import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { anchorOf } from './document.ts';
import { loadDocument } from './documents.ts';

/** A document by its id; `data` is null where there is none of that id. */
export function useDocument(id: string) {
  const query = useQuery({
    queryKey: ['document', id],
    queryFn: () => loadDocument(id),
    // A document comes with the build, and changes only with the next one.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isThere = query.data !== undefined;
  // The browser looked for the part that the URL's hash names before the text was there.
  useEffect(() => {
    const anchor = isThere ? anchorOf(location.hash) : '';
    if (anchor !== '') document.getElementById(anchor)?.scrollIntoView();
  }, [isThere]);
  return query;
}
