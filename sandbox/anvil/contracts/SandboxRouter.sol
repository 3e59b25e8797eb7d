// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// The contract behind the sandbox's swap quotes: takes the agreed amount of one token and pays the agreed amount of
/// another out of its reserves. The zero address is the native coin.
contract SandboxRouter {
    using SafeERC20 for IERC20;

    event Swapped(
        bytes32 indexed id,
        address indexed from,
        address indexed to,
        address fromToken,
        uint256 fromAmount,
        address toToken,
        uint256 toAmount
    );

    error ZeroAmount();
    error ZeroReceiver();
    error WrongValue(uint256 sent, uint256 expected);
    error InsufficientReserve(uint256 reserve, uint256 needed);
    error PaymentFailed();

    receive() external payable {}

    /// `id` is the quote's; the caller must have allowed this contract `fromAmount` of `fromToken`, or send exactly
    /// `fromAmount` of the native coin.
    function swap(
        address fromToken,
        uint256 fromAmount,
        address toToken,
        uint256 toAmount,
        address to,
        bytes32 id
    ) external payable {
        if (fromAmount == 0 || toAmount == 0) revert ZeroAmount();
        if (to == address(0)) revert ZeroReceiver();
        uint256 expectedValue = fromToken == address(0) ? fromAmount : 0;
        if (msg.value != expectedValue) revert WrongValue(msg.value, expectedValue);
        if (fromToken != address(0)) IERC20(fromToken).safeTransferFrom(msg.sender, address(this), fromAmount);
        uint256 reserve = toToken == address(0) ? address(this).balance : IERC20(toToken).balanceOf(address(this));
        if (reserve < toAmount) revert InsufficientReserve(reserve, toAmount);
        emit Swapped(id, msg.sender, to, fromToken, fromAmount, toToken, toAmount);
        if (toToken == address(0)) {
            (bool paid, ) = to.call{value: toAmount}("");
            if (!paid) revert PaymentFailed();
        } else {
            IERC20(toToken).safeTransfer(to, toAmount);
        }
    }
}
