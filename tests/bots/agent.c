/* An agent in C: it reads the number of moves from the head of each line and answers with one. */

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    int count;
    srand(7);
    while (getline(&line, &room, stdin) > 0) {
        if (sscanf(line, "{\"count\": %d", &count) != 1)
            break;
        printf("%d\n", 1 + rand() % count);
        fflush(stdout);
    }
    free(line);
    return 0;
}
