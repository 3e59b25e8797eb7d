/** A list within a list, so often. */
function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

/** Numbers that JSON can spell and JavaScript cannot hold; `bodyText` writes them without the quotes. */
export const RAW_NUMBERS: readonly string[] = ['1e999', '-1e999', '1e-999', '0.1e1', '9007199254740993', '-0']

/** Values that something somewhere does not expect: of a wrong type, out of a range, or that mean something to a machine. */
export const BAD_VALUES: readonly unknown[] = [
  ...RAW_NUMBERS.map((number) => `<${number}>`),
  ...[null, true, false, 0, -1, 0.1, 1e308, -0.0001, 2 ** 31, 2 ** 53, 99_999_999_999],
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e5',
    '00100',
    '.5',
    '5.',
    '+1',
    '0x10',
    'NaN',
    'Infinity',
    '99999999999999999999999999999999',
  ],
  ...['0.000000000000000000000000000001', `${'9'.repeat(400)}`, '1,5', '１００', '100 '],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '🙂'.repeat(60),
    'x'.repeat(256),
    'x'.repeat(20_000),
    '\n',
    '\\',
    '%00',
    '%',
  ],
  ...[
    "'; drop table payments.payment; --",
    '${jndi:ldap://127.0.0.1}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '__proto__',
  ],
  ...['null', 'undefined', 'true', '[]', '{}', 'ana@example.com', '@', 'a@b', `${'a'.repeat(320)}@example.com`],
  ...[
    'http://127.0.0.1:9/',
    'https://127.0.0.1:9/',
    'javascript:alert(1)',
    'ftp://127.0.0.1/',
    'http://user:pass@127.0.0.1/',
    '//',
    'http://[::1]:9/',
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '2026-11-22',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '1',
  ],
  ...[
    '0x0000000000000000000000000000000000000000',
    '0x52908400098527886E0F7030069857D2E4169EE',
    '11111111111111111111111111111111',
    '0x',
    '0x02',
    'AA==',
  ],
  ...['BRL', 'USD', 'EUR', 'USDT', 'POL', 'polygon', 'solana', 'bitcoin', 'pixcrypto', 'cardfiat', 'subs', 'CPF'],
  ...['529.982.247-25', '00000000000', '11.222.333/0001-81', '4000000000000028'],
  ...[[], {}, [null], [{}], [[]], { a: 1 }, { toString: 1 }, { constructor: { prototype: 1 } }, [1, 2, 3], ['a', 'a']],
  ...[Array.from({ length: 300 }, () => ({})), Array.from({ length: 300 }, () => 'x'), nested(50), nested(2_000)],
  ...[
    JSON.parse('{"__proto__": {"a": 1}}') as unknown,
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index])),
  ],
]

/** Bodies that are no object, or no JSON. */
export const BAD_BODIES: readonly string[] = [
  ...[
    '',
    'null',
    '[]',
    '"x"',
    '1',
    'true',
    '{',
    '{"a":}',
    '{"a":1}{"b":2}',
    '\u0000',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
  ],
  ...[
    `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    `"${'x'.repeat(300_000)}"`,
    '{"a":"\ud800"}',
    '\ufeff{}',
    'a=b',
  ],
]
