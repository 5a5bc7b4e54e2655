#!/bin/sh
# An agent in shell: it always answers with the last move of the list.
#
#     exchequer arena kingdom --bots "agent:sh examples/agent.sh,greedy" --games 100

while read -r line; do
    case $line in
        '{"count": '*) line=${line#'{"count": '}; echo "${line%%,*}" ;;
        *) exit 0 ;;
    esac
done
