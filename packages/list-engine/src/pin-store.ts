/** Names a pinned order. */
export interface PinKey {
  /** 32 hex digits, random. */
  readonly id: string;
  /** Unix milliseconds of the injected clock. */
  readonly createdAtMs: number;
}

/** A pinned order: the rows of one ordering at one instant, as bytes. */
export interface Pin extends PinKey {
  /** What the order was made for: see fingerprintOf. */
  readonly fingerprint: string;
  /** The rows in order, see encodeOrder. */
  readonly rows: Uint8Array;
}

/** Where pinned orders outlive a process and are found by other replicas. */
export interface PinStore {
  /** Returns once the pin is stored. Throws where it cannot be, or not within the store's deadline. */
  save(pin: Pin): Promise<void>;
  /** undefined where there is no such pin. Throws where the store does not answer within its deadline. */
  load(key: PinKey): Promise<Pin | undefined>;
}
