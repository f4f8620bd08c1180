import * as read from 'virtual:documents/search';
import type { DocumentSection } from './document.ts';

/** Every part of every document, with the words that it is found by. */
export const SECTIONS: readonly DocumentSection[] = read.SECTIONS;
