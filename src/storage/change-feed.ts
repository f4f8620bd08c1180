/** What instances that share a database tell each other of. */
export const CHANGE_TOPICS = ['rules'] as const;

export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** Announcements of changes between the instances that share a database. What has changed is read from the database. */
export interface ChangeFeed {
  /**
   * Calls `onChange` after each announcement, by this instance too, and whenever announcements may have been lost: so it is also called
   * where nothing has changed. It must not throw. Returns what ends it.
   */
  subscribe(topic: ChangeTopic, onChange: () => void): () => void;
}
