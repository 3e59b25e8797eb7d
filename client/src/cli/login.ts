import { createClient } from '../client.js'
import { textOption, type Command } from './command.js'
import { addressOf, storeCredentials } from './credentials.js'
import { UsageError } from './io.js'
import { readSandbox } from './sandbox-file.js'

/** Stores a key. It comes by standard input and not as an argument, which others on the machine could see. */
export const login: Command = {
  usage: 'login',
  summary: 'Tries the key on standard input (or, with --sandbox, that of a sandbox.json) and keeps it, for you alone.',
  options: { url: { type: 'string' }, sandbox: { type: 'string' } },
  run: async (args, io, print) => {
    const file = textOption(args, 'sandbox')
    const sandbox = file === undefined ? undefined : await readSandbox(file)
    const url = addressOf(textOption(args, 'url') ?? sandbox?.rest_url ?? io.env.url)
    if (!sandbox) io.err('Type or pipe in the key, then end with Ctrl-D:')
    const apiKey = sandbox?.api_key ?? (await io.readInput()).trim()
    if (apiKey === '') throw new UsageError('No key came on standard input.')
    const { data } = await createClient({ baseUrl: url, apiKey }).configProducts()
    await storeCredentials(io.env, { url, apiKey })
    const products = Object.entries(data).flatMap(([name, isOn]) => (isOn === true ? [name] : []))
    print({ url, products, file: io.env.credentialsFile }, [
      `The key is good at ${url} for ${products.join(', ')}.`,
      `It is kept in ${io.env.credentialsFile}.`,
    ])
  },
}
