/** A jetton in one of its pools; '' for trades without a pool. Raw addresses. */
export interface Market {
  readonly jetton: string;
  readonly pool: string;
}
