// Interest of Jupiter Lend, by the second: prices of the liquidity layer, and the price of a share of the Earn product.
#pragma once
#include "jupiter-accounts.h"

typedef struct {
  u64 borrow, supply, share;
} Prices;
#define PRICES ((Prices *)(PROGRAM_MEMORY + 0x1000))

// The reserve's prices now: borrowers' debt grows with the rate, suppliers get its growth without the fee.
FUNCTION void find_liquidity_prices(u8 *reserve) {
  u64 time = read64(reserve + RESERVE_TIME), elapsed = CURRENT_TIME > time ? CURRENT_TIME - time : 0;
  u64 borrow_price = read64(reserve + RESERVE_BORROW_PRICE), supply_raw = read64(reserve + RESERVE_SUPPLY_RAW);
  u64 growth = multiply_divide(borrow_price, read16(reserve + RESERVE_BORROW_RATE) * elapsed, FULL_BPS * SECONDS_PER_YEAR, 0);
  u64 earned = supply_raw ? multiply_divide(growth, read64(reserve + RESERVE_BORROW_RAW), supply_raw, 0) : 0;
  PRICES->borrow = borrow_price + growth;
  PRICES->supply = read64(reserve + RESERVE_SUPPLY_PRICE) + multiply_divide(earned, FULL_BPS - read16(reserve + RESERVE_FEE), FULL_BPS, 0);
}

INLINE u64 between(u64 at, u64 from, u64 from_rate, u64 to, u64 to_rate) {
  return to_rate > from_rate && to > from ? from_rate + (to_rate - from_rate) * (at - from) / (to - from) : from_rate;
}

// The borrow rate at a utilisation, both in bps; version 2 of the model has a second kink.
FUNCTION u64 rate_at(u8 *model, u64 utilisation) {
  u64 kink1 = read16(model + MODEL_KINK_1), kink2 = read16(model + MODEL_KINK_2);
  u64 rate1 = read16(model + MODEL_RATE_AT_KINK_1), rate2 = read16(model + MODEL_RATE_AT_KINK_2), highest = read16(model + MODEL_RATE_AT_MAX);
  if (utilisation <= kink1) return between(utilisation, 0, read16(model + MODEL_RATE_AT_ZERO), kink1, rate1);
  if (model[MODEL_VERSION] != 2) return between(utilisation, kink1, rate1, FULL_BPS, highest);
  if (utilisation <= kink2) return between(utilisation, kink1, rate1, kink2, rate2);
  return between(utilisation, kink2, rate2, FULL_BPS, highest);
}

// What rewards add since `time`, scaled by 1e14: the yearly reward over all deposits, at most 50 % a year, while it runs.
FUNCTION u64 reward_return(u8 *rewards, u64 time, u64 total_assets) {
  u64 start = read64(rewards + REWARDS_START), end = start + read64(rewards + REWARDS_DURATION), yearly = read64(rewards + REWARDS_YEARLY);
  u64 from = time < start ? start : time, to = CURRENT_TIME < end ? CURRENT_TIME : end;
  if (!yearly || !total_assets || total_assets < read64(rewards + REWARDS_START_TVL) || to <= from) return 0;
  u64 rate = multiply_divide(yearly, RETURN_ONE, total_assets, 0);
  if (rate > RETURN_ONE / 2) rate = RETURN_ONE / 2;
  return multiply_divide(rate, to - from, SECONDS_PER_YEAR, 0);
}

// The share's price now: it grows as the liquidity layer's supply price did, and by rewards.
FUNCTION void find_share_price(u8 *lending, u8 *reserve, u8 *rewards, u64 share_supply) {
  find_liquidity_prices(reserve);
  u64 price = read64(lending + LENDING_TOKEN_PRICE), liquidity_price = read64(lending + LENDING_LIQUIDITY_PRICE);
  u64 total_assets = multiply_divide(price, share_supply, PRICE_ONE, 0);
  u64 gained = PRICES->supply > liquidity_price ? multiply_divide(PRICES->supply - liquidity_price, RETURN_ONE, liquidity_price, 0) : 0;
  gained += reward_return(rewards, read64(lending + LENDING_TIME), total_assets);
  PRICES->share = price + multiply_divide(price, gained, RETURN_ONE, 0);
}

INLINE void store_share_price(u8 *lending) {
  write64(lending + LENDING_LIQUIDITY_PRICE, PRICES->supply);
  write64(lending + LENDING_TOKEN_PRICE, PRICES->share);
  write64(lending + LENDING_TIME, CURRENT_TIME);
}
