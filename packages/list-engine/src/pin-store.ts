/** A pinned order: the rows of one ordering at one instant, as bytes. */
export interface Pin {
  /** 32 hex digits, random. */
  readonly id: string;
  /** Unix milliseconds of the injected clock. */
  readonly createdAtMs: number;
  /** What the order was made for: a hash of list family, filters, sort and order, 64 hex digits. */
  readonly fingerprint: string;
  /** The rows in order, see encode-order.ts. */
  readonly rows: Uint8Array;
}

/** Where pinned orders outlive a process and are found by other replicas. */
export interface PinStore {
  /** Returns once the pin is stored. Throws where it cannot be, or not within the store's deadline. */
  save(pin: Pin): Promise<void>;
  /** undefined where there is no such pin. Throws where the store does not answer within its deadline. */
  load(id: string): Promise<Pin | undefined>;
}
