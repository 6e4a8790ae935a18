import { z } from 'zod';
import { RawAddress } from './amounts.js';
import { Verification } from './enums.js';

export const AddressBookEntry = z
  .object({
    userFriendly: z
      .string()
      .meta({ description: 'User-friendly form: bounceable for jettons and pools, not bounceable for wallets.' }),
    kind: z.enum(['jetton', 'pool', 'wallet']).meta({ description: 'What the address is here.' }),
    name: z.string().optional().meta({ description: 'Known name; absent where there is none.' }),
  })
  .meta({ id: 'AddressBookEntry', description: 'Aliases of one raw address.' });
export type AddressBookEntry = z.infer<typeof AddressBookEntry>;

export const AddressBook = z.record(RawAddress, AddressBookEntry).meta({
  id: 'AddressBook',
  description: 'Aliases of every raw address of the answer, `missing` excepted, by raw address.',
  examples: [
    {
      '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe': {
        userFriendly: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
        kind: 'jetton',
        name: 'Tether USD',
      },
    },
  ],
});
export type AddressBook = z.infer<typeof AddressBook>;

export const JettonBookEntry = z
  .object({
    address: RawAddress,
    name: z.string().meta({ description: 'Name; empty where it is not known.' }),
    symbol: z.string().meta({ description: 'Symbol; empty where it is not known.' }),
    decimals: z.int().min(0).max(255).meta({ description: 'Decimals of the jetton’s raw amounts.' }),
    image: z.string().optional().meta({ description: 'URL of the image; absent where there is none.' }),
    verification: Verification,
  })
  .meta({ id: 'JettonBookEntry', description: 'What to show of a jetton of the answer.' });
export type JettonBookEntry = z.infer<typeof JettonBookEntry>;

export const JettonBook = z.record(RawAddress, JettonBookEntry).meta({
  id: 'JettonBook',
  description: 'What to show of every jetton in `items`, by raw address.',
  examples: [
    {
      '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe': {
        address: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
        name: 'Tether USD',
        symbol: 'USD₮',
        decimals: 6,
        verification: 'JVS_APPROVED',
      },
    },
  ],
});
export type JettonBook = z.infer<typeof JettonBook>;

/** Only in answers to requests that name jettons by `address`. */
export const Missing = z.array(RawAddress).meta({
  id: 'Missing',
  description: 'Requested jettons that are not known, in the order of the request.',
  examples: [[]],
});
export type Missing = z.infer<typeof Missing>;

export const NextCursor = z
  .string()
  .max(512)
  .meta({ id: 'NextCursor', description: 'Pass it as `cursor` for the following page; absent on the last one.' });
