/** Something that has a value now and tells when it changed. Stores of the page are readables; components use `useReadable`. */
export interface Readable<T> {
  /** The same object until something changes. */
  get(): T;
  /** `changed` is called after each change, at most once a frame where changes come in bursts. Ends with the returned function. */
  subscribe(changed: () => void): () => void;
}
