// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// The split address of one payment. Whatever reaches it, before or after it is deployed, leaves it in one way only: to
/// the receivers, in the shares, whose hash it was created with. It has no owner, and anyone may call `distribute`,
/// any number of times, so that late funds are shared out like the first.
///
/// Re-entrance: every amount follows from the balance read before the first transfer, and all of it is paid out. When a
/// receiver calls `distribute` again in the middle, both calls cannot be paid from one balance: one of them fails and is
/// undone, and the other gives every receiver exactly its share.
contract Forwarder {
    using SafeERC20 for IERC20;

    /// keccak256(abi.encode(address[] receivers, uint256[] shares))
    bytes32 public immutable splitHash;

    /// What has been shared out so far, by token; the zero address is the native coin.
    mapping(address token => uint256 total) public distributed;

    event Distributed(address indexed token, uint256 total, uint256[] amounts);

    error OtherSplit();
    error NothingToDistribute();
    error TransferFailed(address receiver);

    constructor(bytes32 splitHash_) {
        splitHash = splitHash_;
    }

    receive() external payable {}

    /// Shares out the whole balance of `token` (zero: the native coin): each share is rounded down, what remains goes
    /// to the first receiver.
    function distribute(address token, address[] calldata receivers, uint256[] calldata shares) external {
        if (keccak256(abi.encode(receivers, shares)) != splitHash) revert OtherSplit();
        uint256 total = token == address(0) ? address(this).balance : IERC20(token).balanceOf(address(this));
        if (total == 0) revert NothingToDistribute();
        uint256[] memory amounts = shareAmounts(total, shares);
        distributed[token] += total;
        emit Distributed(token, total, amounts);
        for (uint256 i = 0; i < receivers.length; i++) {
            if (amounts[i] == 0) continue;
            if (token == address(0)) {
                (bool paid, ) = receivers[i].call{value: amounts[i]}("");
                if (!paid) revert TransferFailed(receivers[i]);
            } else {
                IERC20(token).safeTransfer(receivers[i], amounts[i]);
            }
        }
    }

    function shareAmounts(uint256 total, uint256[] calldata shares) private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](shares.length);
        uint256 sum = 0;
        for (uint256 i = 0; i < shares.length; i++) sum += shares[i];
        uint256 remaining = total;
        for (uint256 i = 1; i < shares.length; i++) {
            amounts[i] = (total * shares[i]) / sum;
            remaining -= amounts[i];
        }
        amounts[0] = remaining;
    }
}
