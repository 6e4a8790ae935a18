/**
 * What a request may carry, told once: names are the flattened ones of a query (`liquidity.usd.min`); a body nests them
 * at the dots. The schemas of either form (request-schemas.ts) and the readers of packages/requests come from this.
 */
interface Described {
  /** One sentence: what it does and its unit. */
  readonly description: string;
  readonly examples?: readonly (string | number | boolean)[];
}

export interface IntegerParameter extends Described {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}
export interface BooleanParameter extends Described {
  readonly kind: 'boolean';
  readonly default: boolean;
}
/** Trimmed; lengths in code points; control characters and lone surrogates are refused. */
export interface TextParameter extends Described {
  readonly kind: 'text';
  readonly charsMin: number;
  readonly charsMax: number;
}
/** An opaque text that an earlier answer gave; empty is the same as absent. */
export interface CursorParameter extends Described {
  readonly kind: 'cursor';
  readonly charsMax: number;
}
/** Raw or user-friendly addresses; counted before they are made unique. */
export interface AddressesParameter extends Described {
  readonly kind: 'addresses';
  readonly itemsMax: number;
  /** Without it an empty array is the same as an absent one. */
  readonly required?: true;
}
export interface AddressParameter extends Described {
  readonly kind: 'address';
  /** Whether `ton` is taken too, for native. */
  readonly orNative?: true;
}
/** A transaction's hash: 64 hex digits, or 32 bytes in base64 or base64url; read to lower-case hex. */
export interface HashParameter extends Described {
  readonly kind: 'hash';
}
export interface EnumParameter extends Described {
  readonly kind: 'enum';
  readonly values: readonly string[];
  readonly default?: string;
  /** Taken in upper case too. */
  readonly anyCase?: true;
}
export interface EnumsParameter extends Described {
  readonly kind: 'enums';
  readonly values: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly itemsMax: number;
}
/** A decimal as a JSON number or its text, read exactly. */
export interface DecimalParameter extends Described {
  readonly kind: 'decimal';
}
/** An integer of 64 bits as text; a body may carry it as a JSON integer too. */
export interface Int64Parameter extends Described {
  readonly kind: 'int64';
}
/** `value` (a non-negative integer in text) / 10^`decimals` (0 to 255, default 0). */
export interface AmountParameter extends Described {
  readonly kind: 'amount';
}
/** ISO 8601 with an offset, or Unix seconds. */
export interface InstantParameter extends Described {
  readonly kind: 'instant';
}

export type Parameter =
  | IntegerParameter
  | BooleanParameter
  | TextParameter
  | CursorParameter
  | AddressesParameter
  | AddressParameter
  | HashParameter
  | EnumParameter
  | EnumsParameter
  | DecimalParameter
  | Int64Parameter
  | AmountParameter
  | InstantParameter;

/** Flattened names and what they carry. Names that end in `.min` and `.max` are the inclusive bounds of one range. */
export type RequestContract = Readonly<Record<string, Parameter>>;

/** Path parameters: required, an address or a word of an enum. */
export type PathContract = Readonly<Record<string, AddressParameter | EnumParameter>>;

/** What a parameter is after reading. */
type ValueOf<P extends Parameter> = P extends { kind: 'integer' | 'instant' }
  ? number
  : P extends { kind: 'boolean' }
    ? boolean
    : P extends { kind: 'enum' }
      ? P['values'][number]
      : P extends { kind: 'enums' }
        ? readonly P['values'][number][]
        : P extends { kind: 'addresses' }
          ? readonly string[]
          : P extends { kind: 'decimal' | 'amount' }
            ? { readonly value: bigint; readonly decimals: number }
            : P extends { kind: 'int64' }
              ? bigint
              : string;

type AlwaysThere = { default: unknown } | { kind: 'addresses' | 'enums' };

/**
 * A request after reading, by flattened name. Instants are Unix seconds; arrays are empty where nothing was given;
 * anything else without a default is undefined there.
 */
export type RequestValues<R extends RequestContract> = {
  readonly [Name in keyof R]: R[Name] extends AlwaysThere ? ValueOf<R[Name]> : ValueOf<R[Name]> | undefined;
};

/** Path parameters after reading: raw addresses and words. */
export type PathValues<P extends PathContract> = { readonly [Name in keyof P]: ValueOf<P[Name]> };
