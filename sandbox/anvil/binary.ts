import { createRequire } from 'node:module'

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux x64': 'linux-amd64',
  'linux arm64': 'linux-arm64',
  'darwin x64': 'darwin-amd64',
  'darwin arm64': 'darwin-arm64',
  'win32 x64': 'win32-amd64',
}

/**
 * The path of anvil's program, from the optional package for this platform; looked up when needed, because a live
 * deployment may leave that package out.
 * @throws Error that says which package is missing
 */
export function findAnvilBinary(platform: string = process.platform, architecture: string = process.arch): string {
  const suffix = PLATFORMS[`${platform} ${architecture}`]
  if (suffix === undefined)
    throw new Error(`The sandbox's EVM node (anvil) does not run on ${platform} ${architecture}.`)
  const name = `@foundry-rs/anvil-${suffix}`
  const file = platform === 'win32' ? 'anvil.exe' : 'anvil'
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`)
  } catch (cause) {
    throw new Error(`The sandbox's EVM node is not installed: the optional package ${name} is missing.`, { cause })
  }
}
