// Kamino's Reserve account and its interest. Amounts ending in "Sf" are scaled: value * 2^60 in 128 bits.
#pragma once
#include "numbers.h"

enum {
  RESERVE_VERSION = 8,
  RESERVE_LAST_SLOT = 16,
  RESERVE_STALE = 24,
  RESERVE_PRICE_STATUS = 25,
  RESERVE_LAST_TIME = 28,
  RESERVE_MARKET = 32,
  RESERVE_MINT = 128,
  RESERVE_SUPPLY_VAULT = 160,
  RESERVE_AVAILABLE = 224,
  RESERVE_DEBT_SF = 232,
  RESERVE_PRICE_SF = 248,
  RESERVE_PRICE_TIME = 264,
  RESERVE_CUMULATIVE_RATE_SF = 296,
  RESERVE_PROTOCOL_FEES_SF = 344,
  RESERVE_REFERRER_FEES_SF = 360,
  RESERVE_PENDING_REFERRER_FEES_SF = 376,
  RESERVE_TOKEN_PROGRAM = 408,
  RESERVE_SHARE_MINT = 2560,
  RESERVE_SHARE_SUPPLY = 2592,
  RESERVE_STATUS = 4856,
  RESERVE_HOST_FEE_BPS = 4858,
  RESERVE_RATE_BASIS = 4865,
  RESERVE_TAKE_RATE_PERCENT = 4870,
  RESERVE_CURVE = 4920,
  RESERVE_DEPOSIT_LIMIT = 5016,
  RESERVE_SCOPE_FEED = 5112,
  RESERVE_SCOPE_CHAIN = 5144,
  RESERVE_LENGTH = 8624,
};

enum { CURVE_POINTS = 11, CURVE_POINT_BYTES = 8, FULL_BPS = 10000, CLOCK_RAN_BACKWARDS = 6065 };
// What yearly rates are counted by: slots, of which a year has so many however long they are, or seconds.
enum { BY_SLOT = 0, BY_SECOND = 1, SLOTS_PER_YEAR = 63072000, SECONDS_PER_YEAR = 31536000 };
#define ONE_SF (1ULL << 60)

INLINE u64 multiply_sf(u64 left, u64 right) { return (u64)(multiply_wide(left, right) >> 60); }
INLINE u128 multiply_wide_sf(u128 left, u64 right) {
  return (multiply_wide((u64)(left >> 64), right) << 4) + (multiply_wide((u64)left, right) >> 60);
}
FUNCTION u64 bps_to_sf(u64 bps) { return multiply_divide(bps, ONE_SF, FULL_BPS, 0); }

// What belongs to the depositors, in base units: cash and debt without the fees in it.
FUNCTION u64 total_supply(u8 *reserve, u64 round_up) {
  u128 lent = read128(reserve + RESERVE_DEBT_SF) - read128(reserve + RESERVE_PROTOCOL_FEES_SF) -
              read128(reserve + RESERVE_REFERRER_FEES_SF) - read128(reserve + RESERVE_PENDING_REFERRER_FEES_SF);
  u64 has_fraction = ((u64)lent & (ONE_SF - 1)) != 0;
  return read64(reserve + RESERVE_AVAILABLE) + (u64)(lent >> 60) + (round_up && has_fraction ? 1 : 0);
}

// The yearly borrow rate, scaled: linear between the curve's points at utilisation = debt / total supply.
FUNCTION u64 borrow_rate(u8 *reserve) {
  u64 total = total_supply(reserve, 0), debt = (u64)(read128(reserve + RESERVE_DEBT_SF) >> 60);
  u64 utilisation = !total ? 0 : debt >= total ? ONE_SF : multiply_divide(debt, ONE_SF, total, 0);
  u8 *point = reserve + RESERVE_CURVE;
  for (int index = 1; index < CURVE_POINTS; index++, point += CURVE_POINT_BYTES) {
    u64 from = read32(point), from_rate = read32(point + 4), to = read32(point + 8), to_rate = read32(point + 12);
    if (utilisation > bps_to_sf(to) && to < FULL_BPS) continue;
    u64 rises = to > from && to_rate > from_rate;
    return bps_to_sf(from_rate) + (rises ? multiply_divide(utilisation - bps_to_sf(from), to_rate - from_rate, to - from, 0) : 0);
  }
  return 0;
}

// (1 + rate / year)^periods - 1, scaled; three terms of its series, as the real program approximates it.
FUNCTION u64 compound(u64 yearly_rate, u64 periods, u64 year) {
  u64 rate = yearly_rate / year;
  u64 first = rate * periods;
  u64 second = multiply_sf(first, rate) * (periods - 1) / 2;
  u64 third = second ? multiply_sf(second, rate) * (periods - 2) / 3 : 0;
  return first + second + third;
}

// Brings the debt, the protocol's share of it and the cumulative rate up to the current slot, or second.
FUNCTION u64 accrue_interest(u8 *reserve) {
  u64 by_second = reserve[RESERVE_RATE_BASIS] == BY_SECOND;
  u64 now = by_second ? CURRENT_TIME : CURRENT_SLOT;
  u64 last = by_second ? read32(reserve + RESERVE_LAST_TIME) : read64(reserve + RESERVE_LAST_SLOT);
  REQUIRE(now >= last, CLOCK_RAN_BACKWARDS);
  u64 periods = now - last, year = by_second ? SECONDS_PER_YEAR : SLOTS_PER_YEAR;
  if (periods) {
    u64 host_rate = bps_to_sf(read16(reserve + RESERVE_HOST_FEE_BPS));
    u64 growth = compound(borrow_rate(reserve) + host_rate, periods, year);
    u128 debt = read128(reserve + RESERVE_DEBT_SF), interest = multiply_wide_sf(debt, growth);
    u128 host_fee = multiply_wide_sf(debt, compound(host_rate, periods, year));
    u64 take_rate = multiply_divide(reserve[RESERVE_TAKE_RATE_PERCENT], ONE_SF, 100, 0);
    u128 fees = host_fee + multiply_wide_sf(interest - host_fee, take_rate);
    u128 cumulative = read128(reserve + RESERVE_CUMULATIVE_RATE_SF);
    write128(reserve + RESERVE_PROTOCOL_FEES_SF, read128(reserve + RESERVE_PROTOCOL_FEES_SF) + fees);
    write128(reserve + RESERVE_DEBT_SF, debt + interest);
    write128(reserve + RESERVE_CUMULATIVE_RATE_SF, cumulative + multiply_wide_sf(cumulative, growth));
  }
  write64(reserve + RESERVE_LAST_SLOT, CURRENT_SLOT);
  *(u32 *)(reserve + RESERVE_LAST_TIME) = (u32)CURRENT_TIME;
  reserve[RESERVE_STALE] = 0;
  return 0;
}

// A Scope price list: entries of value, exponent, slot, time (8 bytes each, 56 in all); price = value / 10^exponent.
enum { SCOPE_ENTRIES = 40, SCOPE_ENTRY_BYTES = 56, SCOPE_EXPONENT = 8, SCOPE_TIME = 24, PRICE_FRESH = 63 };

// Stores the oracle's price, scaled: value * 2^60 as four 32-bit limbs, divided by ten once per exponent.
FUNCTION void take_scope_price(u8 *reserve, Account *oracle) {
  u64 at = SCOPE_ENTRIES + SCOPE_ENTRY_BYTES * read16(reserve + RESERVE_SCOPE_CHAIN);
  if (oracle->data_length < at + SCOPE_ENTRY_BYTES) return;
  u8 *entry = oracle->data + at;
  u64 value = read64(entry);
  u32 limbs[4] = {0, (u32)(value << 28), (u32)(value >> 4), (u32)(value >> 36)};
  for (u64 power = read64(entry + SCOPE_EXPONENT); power; power--) {
    u64 remainder = 0;
    for (int limb = 3; limb >= 0; limb--) {
      u64 current = (remainder << 32) | limbs[limb];
      limbs[limb] = (u32)(current / 10);
      remainder = current % 10;
    }
  }
  for (int limb = 0; limb < 4; limb++) *(u32 *)(reserve + RESERVE_PRICE_SF + 4 * limb) = limbs[limb];
  write64(reserve + RESERVE_PRICE_TIME, read64(entry + SCOPE_TIME));
  reserve[RESERVE_PRICE_STATUS] = PRICE_FRESH;
}
