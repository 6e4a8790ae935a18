import { z } from 'zod';
import type { Parameter, RequestContract, TextParameter } from './parameters.js';

/** Text of an integer of 64 bits. */
const int64Text = z.string().regex(/^(0|-?[1-9]\d{0,18})$/);
const decimalText = z.string().regex(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/);
const amountValue = z
  .string()
  .regex(/^(0|[1-9]\d{0,511})$/)
  .meta({ description: 'A non-negative integer in text.', examples: ['1000000'] });
const amountDecimals = z
  .int()
  .min(0)
  .max(255)
  .meta({ description: 'Scale of `value`; 0 where it is left out.', default: 0, examples: [6] });

const addressPattern = '(?:0|-?[1-9]\\d{0,9}):[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48}';
/** A raw or user-friendly address. */
export const addressText = z
  .string()
  .regex(new RegExp(`^(?:${addressPattern})$`))
  .meta({ format: 'address' });
const assetText = z
  .string()
  .regex(new RegExp(`^(?:ton|${addressPattern})$`))
  .meta({ format: 'address' });
const hashText = z.string().regex(/^(?:[0-9a-fA-F]{64}|[0-9A-Za-z+/_-]{43}=?)$/);
// Every instant of the years 1970 to 9999; that a month has no such day only its reader tells.
const [date, time] = [
  '(?:19[7-9]|[2-9][0-9]{2})[0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])',
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]',
];
const instantText = z
  .string()
  .regex(new RegExp(`^(?:[0-9]{1,11}|${date}T${time}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${time}))$`));

// Control characters are refused, blanks at the ends do not count.
const control = '\\u0000-\\u001f\\u007f-\\u009f';
function trimmedText({ charsMin, charsMax }: TextParameter): z.ZodType {
  const [blanks, edge] = ['[^\\S\\u0000-\\u001f]*', `[^\\s${control}]`];
  const rest = `[^${control}]{${Math.max(0, charsMin - 2)},${charsMax - 2}}${edge}`;
  return z.string().regex(new RegExp(`^${blanks}${edge}${charsMin > 1 ? rest : `(?:${rest})?`}${blanks}$`, 'u'));
}

/** Schema of one parameter as a body carries it. */
function bodySchema(parameter: Parameter): z.ZodType {
  switch (parameter.kind) {
    case 'integer':
      return z.int().min(parameter.min).max(parameter.max);
    case 'boolean':
      return z.boolean();
    case 'text':
      return trimmedText(parameter);
    case 'cursor':
      return z.string().max(parameter.charsMax);
    case 'addresses':
      return parameter.required === true
        ? z.array(addressText).min(1).max(parameter.itemsMax)
        : z.array(addressText).max(parameter.itemsMax);
    case 'address':
      return parameter.orNative === true ? assetText : addressText;
    case 'hash':
      return hashText;
    case 'enum':
      return z.enum(enumWords(parameter.values, parameter.anyCase));
    case 'enums':
      return z
        .array(z.enum(enumWords([...parameter.values, ...Object.keys(parameter.aliases)])))
        .max(parameter.itemsMax);
    case 'decimal':
      return z.union([z.number(), decimalText]);
    case 'int64':
      return z.union([int64Text, z.int()]);
    case 'amount':
      return z.object({ value: amountValue, decimals: amountDecimals.optional() });
    case 'instant':
      return instantText;
  }
  return parameter satisfies never;
}

function enumWords(values: readonly string[], anyCase?: true): string[] {
  return anyCase === true ? [...values, ...values.map((value) => value.toUpperCase())] : [...values];
}

/** Schemas of one parameter as a query carries it, by name: an amount has two, anything else one. */
function querySchemas(name: string, parameter: Parameter): (readonly [string, z.ZodType])[] {
  if (parameter.kind === 'amount') {
    return [
      [`${name}.value`, described(amountValue, parameter)],
      [`${name}.decimals`, amountDecimals],
    ];
  }
  return [[name, described(parameter.kind === 'int64' ? int64Text : bodySchema(parameter), parameter)]];
}

function described(schema: z.ZodType, parameter: Parameter): z.ZodType {
  const { description, examples } = parameter;
  // Examples of an array are its elements.
  const isArray = parameter.kind === 'addresses' || parameter.kind === 'enums';
  const given = 'default' in parameter ? parameter.default : undefined;
  return schema.meta({
    description,
    ...(examples === undefined ? {} : { examples: isArray ? [[...examples]] : [...examples] }),
    ...(given === undefined ? {} : { default: given }),
  });
}

const isRequired = (parameter: Parameter): boolean => parameter.kind === 'addresses' && parameter.required === true;

/** The query form of a request: flattened names, every array to be repeated or separated by commas. */
export function querySchemaOf(request: RequestContract): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, parameter] of Object.entries(request)) {
    for (const [flatName, schema] of querySchemas(name, parameter)) {
      shape[flatName] = isRequired(parameter) ? schema : schema.optional();
    }
  }
  return z.object(shape);
}

type Tree = Map<string, Tree | Parameter>;

function treeOf(request: RequestContract): Tree {
  const root: Tree = new Map();
  for (const [name, parameter] of Object.entries(request)) {
    const path = name.split('.');
    const last = path.pop() ?? name;
    let node = root;
    for (const step of path) {
      const next = node.get(step);
      const child: Tree = next instanceof Map ? next : new Map();
      node.set(step, child);
      node = child;
    }
    node.set(last, parameter);
  }
  return root;
}

function objectOf(tree: Tree): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, node] of tree) {
    if (node instanceof Map) shape[name] = objectOf(node).optional();
    else
      shape[name] = isRequired(node) ? described(bodySchema(node), node) : described(bodySchema(node), node).optional();
  }
  return z.object(shape);
}

/** The body form of the same request: nested at the dots. */
export function bodySchemaOf(request: RequestContract): z.ZodObject {
  return objectOf(treeOf(request));
}
