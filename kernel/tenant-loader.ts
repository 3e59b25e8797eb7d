import DataLoader from 'dataloader'

/** A loader for each tenant that a request reads for, which is one, made when it is first needed: most requests need few of a dozen. */
export function perTenant<Value, Key = string, CacheKey = Key>(
  load: (tenantId: string, keys: readonly Key[]) => Promise<Value[]>,
  options: DataLoader.Options<Key, Value, CacheKey> = {},
): (tenantId: string, key: Key) => Promise<Value> {
  let loaders: Map<string, DataLoader<Key, Value, CacheKey>> | undefined
  return (tenantId, key) => {
    loaders ??= new Map()
    const loader = loaders.get(tenantId) ?? new DataLoader((keys) => load(tenantId, keys), options)
    loaders.set(tenantId, loader)
    return loader.load(key)
  }
}
